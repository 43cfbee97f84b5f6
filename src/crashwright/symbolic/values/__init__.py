"""Terms, folded as they are made.

Each constructor of these modules makes a term that means what its operator says, and is as simple as what is known allows: an
accessor of a constructor is what was put in, operations on literals are done as Python does them, a select from a store with
another index looks behind the store. ``tags``: alternatives of a Python value; ``logic``, ``numbers``, ``texts``, ``arrays``: by
sort; ``substitution``: terms made anew. ``operations`` and ``comparisons`` are Python's operators on values whose types may be
known only in part.

Folding is bounded, so a term is made in the time of its operator and never in that of the terms below it. What is unspecified stays
a term: an accessor of another alternative, a division by zero, the number in a text that is none.
"""
