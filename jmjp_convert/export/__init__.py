"""The model to the neighbouring formats, one module each."""
