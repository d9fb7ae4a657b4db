"""What the operating system has: inputs, outputs, archives."""
