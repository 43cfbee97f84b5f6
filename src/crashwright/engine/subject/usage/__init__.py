"""How people and code use the subject: examples, tests, constants, and what functions do with their parameters."""
