"""What each instruction means: when it fails, with which exception, and what it makes of variables and the heap.

A walk goes backwards (``execution``), so an instruction is told what its result and the heap are *afterwards* and says how that
hangs together with what was before. ``step`` is the view that it gets; ``failures`` and ``effects`` are the tables by kind of
instruction.
"""
