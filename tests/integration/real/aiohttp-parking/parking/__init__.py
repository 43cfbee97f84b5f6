"""A car park's gate service."""
