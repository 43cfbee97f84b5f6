"""Who proposes tests: one file each, and one table (``table``) of their order, their shares of the budget and their switches."""
