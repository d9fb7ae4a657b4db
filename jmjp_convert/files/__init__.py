"""Files on disk: inputs, outputs, archives."""
