"""The grammars that a package holds, read from its live objects: one reader for each kind, one model of them all."""
