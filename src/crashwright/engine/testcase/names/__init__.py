"""What names stand for in code that somebody else has written: lines of reports, usage examples, candidates. One chain."""
