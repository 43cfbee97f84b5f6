"""Readers: each turns one kind of text into a CrashReport, or says why not."""
