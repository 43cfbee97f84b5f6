"""From the text of a crash report to frames matched with installed code."""
