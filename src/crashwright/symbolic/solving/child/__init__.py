"""A process of its own for what may hang in C, eat memory or die: ``job`` is how the host sees it, ``inside`` what runs there.

What runs is any function ``entry(request, tell) -> result`` of this package: requests, results and what it tells on the way are
JSON documents.
"""
