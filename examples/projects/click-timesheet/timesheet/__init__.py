"""Hours on the command line."""
