"""What an engine works on: the search for a crash, the search for a suite, and the examination of a suite."""
