"""Goals: pure functions from what a run left behind to a distance, 0 = covered."""
