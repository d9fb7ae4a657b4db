"""The layers of the jmjp reader: characters, keywords, frames, acts."""
