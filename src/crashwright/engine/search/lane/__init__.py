"""The fast lane: calls over a pool of live objects, in great numbers, ahead of a search (``lane.lane``)."""
