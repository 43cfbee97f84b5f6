"""The crash pack: crashes that users reported, a judge that knows no tool, and a table of what tools reproduce."""
