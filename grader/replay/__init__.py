"""Stories and their traces: what the contract does with an op, what a manager shows, and where they part.

Pure: no I/O, no clock, no Streamlit, no torch. The judge, the hotel, a share link and an exported page all use it.
"""
