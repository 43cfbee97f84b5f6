"""Its presence lets the tests below import ``dummy_api``."""
