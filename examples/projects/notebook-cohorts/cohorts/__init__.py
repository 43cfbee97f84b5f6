"""Cohorts of users, for notebooks."""
