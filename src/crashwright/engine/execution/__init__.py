"""Running tests: the statement interpreter, outcomes, time limits, and the isolation of one test from the next."""
