"""Suites that people keep: from asserted tests to a verified ``test_<module>.py``. What a workflow calls, in this order:

``file_names.suite_file_names(modules) -> dict[module, name]``: where each module's tests go.
``existing.covered_by_existing(folder, module, runner, seconds) -> ExistingCoverage(lines, arcs, qualnames, files, skipped)``: what
``--existing-tests`` cover (``existing.existing_test_files(folder, module)`` are the files, for who reads seeds out of them).
``suite_writer.check_suite_path(path, update)``: before the search; UsageError or EnvironmentProblem.
``suite_writer.kept_of(path, update) -> Kept``: what of the present file stays; nothing without ``--update``.
``suite_file.suite_file(tests, target, command, kept) -> SuiteFile(text, tests)``: prints ``[(SuiteTest, AssertedTest), ...]``.
``suite_verify.verify_suite(file, name, runner, seconds, runs=3) -> VerifiedSuite(file, dropped, runs, runner)``: ``seconds()`` is
the time left; ``file`` is what may be written (``file.tests`` empty: nothing to write).
``suite_writer.write_suite(file, path, update) -> None``: in one step.

``runner`` is ``fresh_runner.FreshRunner(python, has_pytest, scratch, run_fresh, path, allow)``: how fresh interpreters are started.
"""
