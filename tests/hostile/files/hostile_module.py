"""
severity: medium
strategy: a module whose attributes are made by hostile code when they are asked for
surface: loading
outcome: was still running after | has no BlockManager | raised
checks: worked-1
"""

import sys
import types


class Module(types.ModuleType):
    def __getattribute__(self, name):
        if name == "BlockManager":
            while True:
                pass
        return super().__getattribute__(name)


sys.modules["submission"].__class__ = Module
