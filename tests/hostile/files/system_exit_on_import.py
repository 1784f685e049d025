"""
severity: medium
strategy: raise SystemExit(0) while the file is loaded
surface: exit status
outcome: importing p06_block_manager.py asked the process to exit
"""

raise SystemExit(0)
