"""The layers of the jmjp reader: characters, words, frames, acts."""
