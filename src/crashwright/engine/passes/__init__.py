"""What a found test goes through before it is told of: one file a pass, and one table (``table``) of their order and switches."""
