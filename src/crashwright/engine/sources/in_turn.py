"""What users ask of an application in turn: requests, or command lines, each after those that succeeded before.

First each operation is asked until a filling is found that is not refused (``applications.conversation``), and what succeeded is
gone on with. Then the one that comes to the crash is asked after all of it, after less, and after one or two more; where the report
tells of an order, in that. So a state comes about as the application itself lets it come about, and a test says what its users did.

That is how RESTler explores services (Atlidakis, Godefroid, Polishchuk, ICSE 2019); the score here is that of the crash.

# Deviation: the papers' subjects are called, and not asked.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, islice
from math import inf
from random import Random

from crashwright.engine.goals.crash.score import MESSAGE_DIFFERS
from crashwright.engine.search.crash_goals import guiding_frames
from crashwright.engine.search.crash_scorer import Evaluation
from crashwright.engine.sources.applications.conversation import (
    MOST_ASKED,
    MOST_DENIED,
    Ask,
    Conversation,
    Filling,
    said_beside,
)
from crashwright.engine.sources.applications.flows import Flow, Turn, enlarged, in_other_forms, one_apart, two_apart
from crashwright.engine.sources.applications.letting_in import FEWER_ASKED, LettingIn
from crashwright.engine.sources.applications.operations import (
    ARGV,
    AskedOperation,
    Asking,
    text_of,
)
from crashwright.engine.sources.applications.other_forms import other_forms
from crashwright.engine.sources.applications.said_instead import sent_instead, stored_instead, texts_in_message
from crashwright.engine.sources.applications.walks import AskingWalk, AskingWalks
from crashwright.engine.sources.asking_runs import AskingRuns
from crashwright.engine.sources.crash_so_far import CrashSoFar
from crashwright.engine.sources.crash_subject import CrashSubject
from crashwright.engine.sources.given_files import GivenFiles, sought_in, with_files
from crashwright.engine.sources.parsed_commands import parsed_commands, through_entry
from crashwright.engine.sources.source import When
from crashwright.engine.testcase.editing.record_steps import record_steps
from crashwright.engine.testcase.testcase import TestCase

ASKED_SECONDS = 1.0
"""CPU seconds that a test may take from now on: a password alone takes more than tests have else, in C, where nothing interrupts
it."""
ROUNDS = 3
"""In which what was refused is asked again, after what succeeded meanwhile."""
MOST_ENDED = 4
"""Calls that ended by the exception of the report while the state was looked for."""
MOST_INSERTED, FEW_ASKED = 2, 12
"""Operations, beside those that the report tells of, that are asked before the last ones; how often what was refused is asked
again."""
MOST_FLOW = 8
"""Operations that make the state."""
MOST_LAST, FURTHEST = 8, 2
"""Ways in which the target is asked after one flow; of those that were refused, so many."""
MOST_OTHER_WAYS = 2
"""In which the target is asked that were not tried."""
MOST_STEPPED, MOST_STEPS = 3, 60
"""Tests that are looked around, and how far."""
WHOLE = 4
"""The level of a crash that says the same, but for what it quotes."""
MOST_OTHERS = 20
"""Flows that are tried each time that the search stands still."""
WALKS = 6
"""Each time."""
MOST_TOLD = 5
"""Operations of the report that are asked once more, two of them in its order."""


class InTurn:
    """See ``sources.source.Source``."""

    def __init__(self) -> None:
        self._turns: _InTurns | None = None

    def tests(self, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """Those first in which the most has succeeded; while the search stands still those that differ from them."""
        if so_far.moment is When.AHEAD:
            asking = subject.asking if subject.asking.targets else parsed_commands(subject, so_far, rng)
            asking = asking._replace(through="" if subject.entry.module is not None else through_entry(asking, so_far))
            if asking.targets:
                clock = so_far.bench.clock
                clock.set_limit(max(clock.limit, ASKED_SECONDS))
            if asking.targets and (asking.others or asking.with_rows):
                yield from self._in_turn(asking, subject, so_far, rng)
        elif self._turns is not None:
            yield from self._turns.others()

    def _in_turn(self, asking: Asking, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> Iterator[TestCase]:
        """Beside each of the rows once, and then in turn beside those with which it came furthest; then by what is asked alone, if
        that can make a state."""
        begun: list[_InTurns] = []
        for way in asking.with_rows:
            # What was not refused once, or came furthest, comes first beside the next rows.
            known = begun[-1].furthest if begun else {}
            targets = [one._replace(ways=(*known.get(one.name, ()), *one.ways)) for one in asking.targets]
            beside_rows = asking._replace(opening=way.opening, made=way.made, targets=tuple(targets))
            begun.append(_InTurns(beside_rows, subject, so_far, rng))
            yield from begun[-1].once()
        begun = sorted(begun, key=lambda one: one.nearest)[:1]
        if asking.others:
            begun.append(_InTurns(asking._replace(with_rows=()), subject, so_far, rng))
        for one in begun:
            self._turns = one
            yield from one.tests()
            if one.came_through:
                break


NOT_LOOKED_FOR = AskedOperation("", ())
"""Of a call that the report has word for word."""


class _InTurns:
    def __init__(self, asking: Asking, subject: CrashSubject, so_far: CrashSoFar, rng: Random) -> None:
        self._subject = subject
        self._so_far = so_far
        self._runs = AskingRuns(asking, subject, so_far, rng)
        self._files = GivenFiles(self._runs, subject, so_far)
        self._asking = with_files(asking, tuple(self._runs.texts))
        self._conversation = Conversation(sought_in(subject), frozenset(name for one in asking.others for name in one.invented))
        self._conversation.learn_stored(asking.made)
        self.came_through = False
        """A test came as far as the first frame."""
        self.nearest = inf
        """The fitness of the best of the tests."""
        self.furthest: dict[str, tuple[ast.Call, ...]] = {}
        """By the names of the targets, the way to ask each that was not refused, or the last one whose answer was new."""
        self._seen: set[str] = set()
        self._heard: set[str] = set()
        self._entered: list[TestCase] = []
        self._sought: list[ast.Call] = []
        self._stepped = 0
        self._left: Iterator[tuple[Flow, Sequence[ast.Call]]] = iter(())
        self._flow: Flow = ()
        self._walks: AskingWalks | None = None
        self._rng = rng

    def once(self) -> Iterator[TestCase]:
        """The target alone: with rows there may be all that it takes."""
        if not self._so_far.is_spent:
            yield from self._after([()], self._asked_after(())[0])

    def tests(self) -> Iterator[TestCase]:
        """The target after what can be asked; after what differs from that by one, by two."""
        session = [Turn(NOT_LOOKED_FOR, call) for call in self._asking.session]
        self._so_far.bench.guard.take_lacking()
        yield from self._after([session[:-1]], [one.call for one in session[-1:]])
        yield from self._files.lacking(self._asking.session)
        ended: list[tuple[Flow, ast.Call]] = []
        whole, more = self._state(ended)
        for before, call in ended[:MOST_ENDED]:
            yield from self._after([before], [call])
        yield from self._after([[*whole, *session[:-1]]], [one.call for one in session[-1:]])
        names = {one.name for one in self._asking.targets}
        flow: Flow = ()
        last: list[ast.Call] = []
        for flow in self._beginnings(whole):
            last, possible = self._asked_after(flow)
            # It may take nothing before.
            yield from self._after([()], self._sought[:FURTHEST], around=False)
            yield from self._after([flow], last, around=False)
            if any(one.operation.name in names for one in possible):
                break
        typed = [one.call for one in session[-1:]]
        for call in (*typed, *(one for one in last[:1] if text_of(one) not in map(text_of, typed))):
            yield from self._files.kept([one.call for one in flow], call)
        asked = [one for one in possible if one.operation.name in names]
        if asked:
            # What it took once it takes again, if that is the same; or it does not see that it is.
            yield from self._files.kept([*(one.call for one in flow), asked[0].call], asked[0].call)
        yield from self._steps()
        again = self._again(flow)
        more += [*again, *possible]
        bases, lasts = [flow], [last]
        if again:
            bases.append([*flow, *again])
            last, possible = self._asked_after(bases[-1])
            lasts.append(last)
            more += possible
            yield from self._after(bases[1:], last)
        more = self._told_first(more)
        self._flow = flow
        others = [one for one in self._asking.others if one.name not in names]
        self._walks = (
            AskingWalks(self._asking.targets, others, [*flow, *possible], self._conversation, self._rng) if others else None
        )
        yield from self._walked()
        first = {one.operation.name: one for one in reversed(more)}
        told = [first[name] for name in dict.fromkeys(self._asking.told) if name in first][-MOST_TOLD:]
        # Those that were asked last say the most.
        yield from self._new(([*flow, one] for one in reversed(told)), lasts[0])
        yield from self._new(([*flow, *pair] for pair in reversed(list(combinations(told, 2)))), lasts[0])
        yield from self._after(enlarged(flow, self._conversation.is_counted), [*lasts[0][:1], *lasts[0][-1:]])
        fills = any(one.operation.name in names for one in more)
        # Whether more is read of it then no answer tells.
        places = reversed(range(len(flow) if fills else 0))
        forms = [
            (place, one)
            for place in places
            for one in other_forms(flow, place, self._conversation, self._converse, lambda: self._so_far.is_spent)
        ]
        yield from self._after(in_other_forms(flow, forms), [*lasts[0][:1], *lasts[0][-1:]])
        near = [(flow, last) for base, last in zip(bases, lasts, strict=True) for flow in one_apart(base, more)]
        # What is always refused lacks something else, a file for instance.
        further = ((flow, last) for base, last in zip(bases, lasts, strict=True) for flow in two_apart(base, more) if fills)
        self._left = chain(near, further)

    def others(self) -> Iterator[TestCase]:
        """What walks find; with one more or one less, then with two more; so many each time."""
        yield from self._walked()
        for flow, last in islice(self._left, MOST_OTHERS):
            yield from self._new([flow], last)

    def _walked(self) -> Iterator[TestCase]:
        """What walks find that begin somewhere on the way to the state that is known."""
        for _ in range(WALKS if self._walks is not None else 0):
            walks: list[AskingWalk] = []
            base = self._flow[: self._rng.randint(0, len(self._flow))]
            self._converse(base, partial(self._walk, walks))
            for walk in walks:
                for done, call in walk.found:
                    yield from self._after([[*base, *walk.done[:done]]], [call])
            if self._so_far.is_spent:
                return

    def _walk(self, walks: list[AskingWalk], ask: Ask) -> None:
        if self._walks is not None:
            walks.append(self._walks.walk(ask))

    # What is asked

    def _state(self, ended: list[tuple[Flow, ast.Call]]) -> tuple[list[Turn], list[Turn]]:
        """What can be asked in turn; all of it, with what ends something. ``ended``: what ended by the exception that is looked
        for, each with what was asked before."""
        flow: list[Turn] = []
        ending: list[Turn] = []
        targets = {one.name for one in self._asking.targets}
        fill = self._conversation.fill
        denied: list[tuple[AskedOperation, str]] = []
        # What ends something is asked when all is there.
        waiting = [one for one in self._asking.others if one.name not in targets and not one.ends]

        def talk(ask: Ask) -> None:
            for turn in range(ROUNDS):
                before = len(flow)
                # What was refused once is likely to be refused for what is not there yet, whatever else is tried.
                most = FEW_ASKED if turn else MOST_ASKED
                if turn == 1 and waiting:
                    waiting.extend(one for one in self._asking.targets if not one.ends)
                denied.clear()
                for operation in list(waiting) if len(flow) < MOST_FLOW else ():
                    filling = fill(ask, operation, most=most)
                    ended.extend(([*flow], call) for call in filling.sought[:1])
                    if filling.call is not None:
                        waiting.remove(operation)
                        flow.append(Turn(operation, filling.call))
                    elif filling.denied:
                        denied.append((operation, filling.denied))
                if len(flow) == before and turn:
                    break
            probed = self._asking.targets if self._asking.callers or self._asking.headers else ()
            said = [(one, fill(ask, one, most=MOST_DENIED).denied) for one in probed if not one.ends]
            denied.extend(one for one in said if one[1])
            for operation in (one for one in self._asking.others if one.ends):
                call = fill(ask, operation).call
                if call is not None:
                    ending.append(Turn(operation, call))

        self._converse((), talk)
        if denied:
            letting_in = LettingIn(self._asking, self._conversation, self._converse, lambda: self._so_far.is_spent)
            if letting_in.changes(flow, *denied[0]):
                self._converse([*flow], talk)
        told = [one for one in waiting if one.name in self._asking.told]
        for operation in told or waiting[:MOST_INSERTED]:
            self._insert(operation, flow, FEW_ASKED if told else FEWER_ASKED)
        return flow, [*ending, *flow]

    def _insert(self, operation: AskedOperation, flow: list[Turn], most: int) -> None:
        """What is refused in the end may have been possible before: another one took away what it needs."""
        found: list[ast.Call] = []

        def talk(ask: Ask) -> None:
            call = self._conversation.fill(ask, operation, most=most).call
            found.extend([] if call is None else [call])

        for place in range(len(flow) - 1, 0, -1):
            if self._so_far.is_spent or len(flow) >= MOST_FLOW:
                return
            self._converse(flow[:place], talk)
            if found:
                flow.insert(place, Turn(operation, found[0]))
                return

    def _beginnings(self, flow: Flow) -> Iterator[Flow]:
        """Up to what the report tells of, since that was asked last: what came behind it here may have taken something away. Then
        the whole."""
        told = [place for place, one in enumerate(flow) if one.operation.name in self._asking.told]
        if told and told[-1] + 1 < len(flow):
            yield flow[: told[-1] + 1]
        yield flow

    def _again(self, flow: Flow) -> list[Turn]:
        """What of it can be asked once more."""
        again: list[Turn] = []

        def talk(ask: Ask) -> None:
            for one in flow:
                call = self._conversation.fill(ask, one.operation, one.call).call
                if call is not None:
                    again.append(Turn(one.operation, call))

        self._converse(flow, talk)
        return again

    def _asked_after(self, base: Flow) -> tuple[list[ast.Call], list[Turn]]:
        """Ways to ask the targets then; and what else can be asked after these, what ends something too."""
        last: list[ast.Call] = []
        possible: list[Turn] = []

        def talk(ask: Ask) -> None:
            for target in self._asking.targets:
                filling = self._conversation.fill(ask, target)
                self._sought.extend(filling.sought)
                self.furthest[target.name] = filling.heard[-1:] if filling.call is None else (filling.call,)
                last.extend(self._likely(filling))
                last.extend(self._other_ways(target, last))
                if filling.call is not None:
                    possible.append(Turn(target, filling.call))
            for operation in self._asking.others:
                if operation.ends:
                    call = self._conversation.fill(ask, operation).call
                    if call is not None:
                        possible.append(Turn(operation, call))

        self._converse(base, talk)
        return last or [way for target in self._asking.targets for way in target.ways[:1]], possible

    def _other_ways(self, target: AskedOperation, tried: Sequence[ast.Call]) -> list[ast.Call]:
        """What was not asked since something succeeded before: with more that it may carry it may crash."""
        texts = set(map(text_of, tried))
        found = [call for way in target.ways for call in self._conversation.begun(way) if text_of(call) not in texts]
        return found[:MOST_OTHER_WAYS]

    def _likely(self, filling: Filling) -> list[ast.Call]:
        """What ended as the report says, succeeded, or came furthest; then the same about something else that there is."""
        furthest = filling.heard[-FURTHEST:][::-1] if filling.call is None else (filling.call,)
        found = list({id(one): one for one in (*filling.sought[:FURTHEST], *furthest)}.values())
        about = [other for call in found for other in self._conversation.others(call)]
        twins = [other for call in found[:1] for other in self._conversation.with_twins(call)]
        return [*found, *about, *twins][:MOST_LAST]

    def _told_first(self, asked: Flow) -> list[Turn]:
        """Those that the report says were asked before come first, in its order."""
        told = self._asking.told
        return sorted(asked, key=lambda one: told.index(one.operation.name) if one.operation.name in told else len(told))

    def _new(self, flows: Iterable[Flow], last: Sequence[ast.Call]) -> Iterator[TestCase]:
        """After those flows after which one of ``last`` is answered as it never was."""
        for flow in flows:
            if self._so_far.is_spent:
                return
            found: list[ast.Call] = []

            def talk(ask: Ask, found: list[ast.Call] = found) -> None:
                for call in last:
                    said = said_beside(ask(call).text, call)
                    if said not in self._heard:
                        self._heard.add(said)
                        found.append(call)

            self._converse(flow, talk)
            yield from self._after([flow], found)

    def _converse(self, before: Flow, talk: Callable[[Ask], None]) -> None:
        self._runs.converse([one.call for one in before], talk, self._conversation.learn_anew)

    # What is tried

    def _after(self, flows: Iterable[Flow], last: Sequence[ast.Call], around: bool = True) -> Iterator[TestCase]:
        """``around``: with what is one step from a test that enters all frames."""
        for flow, call in ((flow, call) for flow in flows for way in last for call in self._ways(way)):
            calls = [*(one.call for one in flow), call]
            yield from self._tried(calls)
            if self._says_otherwise():
                said = texts_in_message(self._subject.start.target.message)
                for renamed in sent_instead(calls, said):
                    yield from self._tried(renamed)
                for opening in stored_instead(self._asking.opening, self._asking.made, said):
                    yield from self._tried(calls, opening)
        if around:
            # All ways to ask come first: there are many more steps.
            yield from self._steps()

    def _says_otherwise(self) -> bool:
        """Whether the last test crashed as in the report, but for what the message says."""
        scores = [one.score for one in self._latest()]
        return any(one.level == MESSAGE_DIFFERS or (one.level == WHOLE and one.fitness > 0) for one in scores)

    def _latest(self) -> Sequence[Evaluation]:
        return self._so_far.latest[-1:]

    def _tried(self, calls: Sequence[ast.Call], opening: Sequence[ast.stmt] | None = None) -> Iterator[TestCase]:
        text = "\n".join((*map(text_of, calls), *map(ast.unparse, opening or ())))
        test = None if text in self._seen else self._runs.test(calls, opening)
        self._seen.add(text)
        if test is not None and self._so_far.factory.has_room(test.statements):
            yield test
            latest = self._latest()
            self.came_through |= any(one.score.frames > 0 for one in latest)
            self.nearest = min((self.nearest, *(one.score.fitness for one in latest)))
            if latest and latest[0].score.frames >= len(guiding_frames(self._subject.start.target)):
                self._entered.append(TestCase(latest[0].test.statements[: latest[0].ran or None]))

    def _ways(self, call: ast.Call) -> list[ast.Call]:
        """Through the entry first, which has all frames of the report."""
        line = next((one for one in call.args if isinstance(one, ast.List)), None)
        if not self._asking.through or line is None:
            return [call]
        return [ast.Call(ast.Name(self._asking.through), [], [ast.keyword(ARGV, line)]), call]

    def _steps(self) -> Iterator[TestCase]:
        """One step from tests that entered all frames: a date, a row or a call more is what they may lack."""
        for test in self._entered[: MOST_STEPPED - self._stepped]:
            self._stepped += 1
            yield from record_steps(test, self._so_far.seeds.quoted, self._so_far.factory.new, MOST_STEPS)
        self._entered.clear()
