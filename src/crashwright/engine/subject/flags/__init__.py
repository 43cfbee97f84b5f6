"""Flags whose value called code decides (paper 003): their branches, what may be called, and what it must return."""
