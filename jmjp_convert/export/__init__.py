"""The model to the formats around jmjp, a module each."""
