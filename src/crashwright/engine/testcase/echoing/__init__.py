"""What a report shows of calls and values, as statements of a test."""
