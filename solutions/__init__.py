"""Reference answers and the classic mistakes. Imports nothing of the project."""
