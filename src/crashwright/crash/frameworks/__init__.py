"""What frameworks need set up, as the host knows it: how it is found in a project's files, and what printed tests have for it."""
