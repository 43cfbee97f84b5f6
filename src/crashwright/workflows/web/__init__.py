"""What is fetched from the web: one GET after the other, bounded in time and size, from servers that are not trusted."""
