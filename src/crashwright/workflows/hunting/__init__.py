"""What the searches of ``reproduce`` and ``generate`` share: choices of the user, failures of engines, the symbolic engine."""
