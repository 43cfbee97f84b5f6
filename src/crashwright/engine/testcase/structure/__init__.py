"""The structure of texts and bytes: found in them without a parser, and edited as what it is."""
