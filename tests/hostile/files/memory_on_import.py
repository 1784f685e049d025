"""
severity: high
strategy: take all memory while the file is loaded
surface: memory
outcome: import p06_block_manager ran out of memory (MemoryError)
"""

held = bytearray(8 << 30)
