"""The symbolic engine: backward execution from the crash, and tests composed from summaries of methods (STAR, "Automatic crash
reproduction via symbolic execution and method sequence composition").

It reads source code and never imports the subject. Rooms: ``ir`` (functions as control flow graphs of simple instructions),
``values`` (terms, folded as they are made), ``conditions`` (what held at the crash), ``execution`` (the walk back to the entries
of the frames), ``solving`` (the solver, and the process it runs in), ``composition`` (from conditions to tests), ``wording``
(conditions for people).
"""
