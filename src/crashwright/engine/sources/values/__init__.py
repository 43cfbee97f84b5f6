"""What is known of values before any test is run, read off the report, the code and its examples: constants, samples of formats,
types, and what calls that are written down pass."""
