"""Search for suites: random, whole suite, MOSA and DynaMOSA as one search with different objective managers (SPEC 5; paper 004)."""
