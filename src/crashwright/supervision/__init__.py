"""Starting, watching, confining and restarting engines, and fresh interpreters for finishing."""
