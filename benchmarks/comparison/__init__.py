"""The papers' comparison of crash searches (000: RQ1, RQ2; 001: RQ1), resumable: ``python -m benchmarks.comparison``."""
