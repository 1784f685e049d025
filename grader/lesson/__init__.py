"""Lessons: text files with figures, questions and claims in them; loaded as data, and checked against the reference."""
