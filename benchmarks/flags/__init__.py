"""The experiment on interprocedural flags (paper 003, RQ1-3)."""
