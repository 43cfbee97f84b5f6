"""Wants read off the syntax trees of a whole package. Nothing is run."""
