"""The mutants of a module, enumerated from its syntax (paper 004)."""
