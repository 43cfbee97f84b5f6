"""What the symbolic engine composes for the crashes of a pack, and what becomes of it when an engine runs it."""
