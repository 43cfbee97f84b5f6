"""Crash fitness functions."""
