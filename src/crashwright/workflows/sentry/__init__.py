"""The story of ``crashwright sentry``: the events of a Sentry project, as texts for a batch."""
