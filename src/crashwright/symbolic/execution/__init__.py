"""The walk back from the crash to the entries of its frames (STAR, section 4)."""
