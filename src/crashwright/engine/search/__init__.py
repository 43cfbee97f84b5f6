"""Search: algorithms, operators' schedules, budgets, and the evaluator where tests and goals meet."""
