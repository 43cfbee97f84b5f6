"""What looks like a secret in a report, and the one filter that every value passes on its way out of it."""
