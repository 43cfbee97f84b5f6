"""What code compares with the pieces of a text that it was given, and where these stand in it."""
