"""The model to jmjp text: the words, hands, acts, and what stands around the frames."""
