"""
severity: medium
strategy: a source that is hard to compile
surface: loading
outcome: import p06_block_manager ran out of memory (MemoryError) | importing p06_block_manager.py | is not valid Python
"""

exec(compile("x = " + "(" * 90 + "1" + ")" * 90 + "\n" + "y = " + "-" * 200_000 + "1\n", "bomb", "exec"))
exec(compile("(1,) * 10**9", "bomb", "eval"))
