"""Runs of tests that are no straight line: ``with`` blocks around the rest of the test, and tests that await, as a whole inside one
event loop."""

from __future__ import annotations

from collections.abc import Iterator
from selectors import DefaultSelector, SelectorKey
from threading import active_count
from typing import Any

from crashwright.engine.execution.handlers import Environment, Handler, build
from crashwright.engine.execution.limits import TestTimeout
from crashwright.engine.execution.running_call import RunningCall
from crashwright.engine.execution.virtual_time import VirtualTime
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Statement
from crashwright.engine.testcase.variables import is_async


class NestedRun:
    """A run with ``with`` blocks, files or awaits. ``error`` is what a test raised inside its event loop."""

    def __init__(
        self,
        handlers: dict[type, Handler],
        statements: tuple[Statement, ...],
        virtual: VirtualTime | None = None,
        running: RunningCall | None = None,
    ) -> None:
        self._handlers = handlers
        self._running = running
        self._time = virtual
        self._statements = statements
        self.env: Environment = {}
        self.executed = 0
        self.error: BaseException | None = None

    def everything(self) -> None:
        """Run all statements."""
        if is_async(self._statements):
            from asyncio import Runner, SelectorEventLoop  # costs 50 ms, and most subjects never need it

            with Runner(loop_factory=lambda: SelectorEventLoop(_ImpatientSelector(self._time))) as runner:
                runner.run(self._guarded())
        else:
            self._block(iter(self._statements))
        if self.error is None:
            self.env.clear()

    def _block(self, rest: Iterator[Statement]) -> None:
        for statement in rest:
            if isinstance(statement, st.Enter):
                with self.env[statement.manager] as value:
                    self._defined(statement, value)
                    self.executed += 1
                    self._block(rest)
                return
            self._handlers[type(statement)](self.env, statement)
            self.executed += 1

    def _defined(self, statement: st.Enter | st.Await, value: object) -> None:
        self.env[statement.variable] = value
        behind = self._handlers.get(type(statement))
        if behind is not None:
            behind(self.env, statement)

    async def _guarded(self) -> None:
        # Caught inside the loop, so that the traceback begins in the test and not in asyncio.
        try:
            await self._async_block(iter(self._statements))
        except BaseException as error:  # noqa: BLE001 (as in Executor._straight)
            self.error = error

    async def _async_block(self, rest: Iterator[Statement]) -> None:
        for statement in rest:
            if isinstance(statement, st.Enter):
                manager: Any = self.env[statement.manager]
                if statement.is_async:
                    async with manager as value:
                        self._defined(statement, value)
                        self.executed += 1
                        await self._async_block(rest)
                else:
                    with manager as value:
                        self._defined(statement, value)
                        self.executed += 1
                        await self._async_block(rest)
                return
            if isinstance(statement, st.Within) and statement.is_async:
                await self._within(statement)
            elif isinstance(statement, st.Await):
                if self._running is not None:
                    self._running.begin(statement)
                awaitable: Any = self.env[statement.awaitable]
                self._defined(statement, [x async for x in awaitable] if statement.mode == "list" else await awaitable)
            else:
                self._handlers[type(statement)](self.env, statement)
            self.executed += 1

    async def _within(self, statement: st.Within) -> None:
        manager: Any = self.env[statement.manager]
        async with manager as value:
            self.env[statement.variable] = value
            for key, content in statement.filling:
                value[build(key, self.env)] = build(content, self.env)
            if statement.error is not None:
                raise self.env[statement.error]
        behind = self._handlers.get(st.Enter)
        if behind is not None:
            behind(self.env, statement)


class _ImpatientSelector(DefaultSelector):
    """Does not wait for what never comes: no timer is set, no file is watched but the loop's own, and no other thread could wake
    the loop. The test would wait until its time is up. What will come is waited for in virtual time."""

    def __init__(self, virtual: VirtualTime | None = None) -> None:
        super().__init__()
        self._time = virtual

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        if timeout is None and len(self.get_map()) < 2 and active_count() == 1:
            raise TestTimeout
        if timeout and self._time is not None and len(self.get_map()) < 2 and self._time.pass_by(timeout):
            return super().select(0)
        return super().select(timeout)
