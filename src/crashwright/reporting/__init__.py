"""How results look: the terminal, plain lines, JSON."""
