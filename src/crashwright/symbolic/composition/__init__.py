"""From preconditions to tests: summaries of methods, put one before the other until nothing is asked for but literals (STAR,
section 5). What it composes counts for nothing until it ran."""
