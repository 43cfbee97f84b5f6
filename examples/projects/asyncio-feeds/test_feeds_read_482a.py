"""KeyError in feeds/entries.py:16 (parse_entry), reached from Collector.read.

Both frames and the message of the report. Red until the bug is fixed.
crashwright reproduce crash.txt --seed 1
"""

import asyncio

from feeds.collect import Collector


def test_read_raises_key_error():
    async def scenario():
        await Collector().read([{"title": "1"}])  # KeyError: 'tags'

    asyncio.run(scenario())
