"""Definitions in a test: a class, a function, an async function, as one statement of source."""
