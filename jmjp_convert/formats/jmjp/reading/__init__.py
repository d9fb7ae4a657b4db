"""jmjp text to the model, layer by layer: the characters, the words, the match, its frames and acts."""
