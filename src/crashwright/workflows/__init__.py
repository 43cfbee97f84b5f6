"""The stories, each told on one page."""
