"""Pages to look at: one self-contained HTML file each, made from the JSON documents of the commands."""
