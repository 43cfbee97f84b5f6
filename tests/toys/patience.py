"""How long tests wait for what has to happen. The bounds are against hangs and measure nothing: a busy machine takes longer."""

HANG = 240.0
"""Seconds that nothing takes but what hangs: a subject that sleeps in these tests sleeps longer."""
