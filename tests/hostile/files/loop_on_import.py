"""
severity: high
strategy: never finish loading
surface: wall time
outcome: importing p06_block_manager.py was still running after
"""

while True:
    pass
