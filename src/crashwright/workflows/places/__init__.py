"""Where tasks of a batch run: here, or on workers of a cluster; and the database that their answers are kept in."""
