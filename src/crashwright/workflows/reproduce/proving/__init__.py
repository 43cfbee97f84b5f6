"""What others suggest, and the project's own tests, run as they are: a right test is proved as its author wrote it."""
