"""What code wants of values: one model, and who fills it."""
