"""What a frame further in needs, put where it came from: arguments at its entry, followed back to the values of a test."""
