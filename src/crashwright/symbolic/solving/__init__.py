"""The solver, and the process that it runs in. ``z3_terms`` alone imports z3, when a ``Language`` is made."""
