"""Handing in: the text that is written, the file that is uploaded, and what the desk says to it."""
