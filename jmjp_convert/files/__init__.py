"""Files of the operating system: inputs, outputs, archives."""
