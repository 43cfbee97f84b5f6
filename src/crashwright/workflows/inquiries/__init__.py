"""Commands that answer a question: explain, verify, doctor."""
