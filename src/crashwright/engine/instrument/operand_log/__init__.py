"""What the decisions of a run compare: objects, and where in the values of the test they come from."""
