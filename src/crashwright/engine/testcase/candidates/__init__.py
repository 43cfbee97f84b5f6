"""Programs that somebody suggests, as test cases: scripts, snippets, tests."""
