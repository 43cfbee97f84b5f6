"""The papers' questions at size, by one resumable command: ``python -m benchmarks.evidence``."""
