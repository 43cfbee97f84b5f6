"""The wild sweep: both commands on packages nobody prepared, drawn by seed; what must not happen is counted."""
