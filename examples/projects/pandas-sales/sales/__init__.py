"""Reports on sales."""
