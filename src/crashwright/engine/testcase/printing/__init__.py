"""Tests as source that a person would write."""
