"""From a test that crashes to a file that people keep."""
