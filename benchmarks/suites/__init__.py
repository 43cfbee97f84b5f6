"""Experiments on the search for suites, resumable: its defaults (``python -m benchmarks.suites.defaults``) and the questions of
paper 004 about selected goals (``python -m benchmarks.suites.selection``)."""
