"""What the factory of tests and its values are told of a subject before a search: one table (``table``) of who tells it what."""
