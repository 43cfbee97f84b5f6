"""The story of ``crashwright generate`` for a package or several modules: a suite for each, in processes of their own."""
