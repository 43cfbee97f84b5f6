"""Probes: AST rewriting at import that records branch distances and positions without changing what the subject does."""
