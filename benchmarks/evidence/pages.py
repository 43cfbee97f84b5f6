"""One page for each paper: its claims, and what the campaign's runs say of them.

python -m benchmarks.evidence.pages [--store benchmarks/results/campaign/evidence.json] [--output docs/papers]

Everything that is counted on a page is computed from the store. A claim is *confirmed* if the difference has the
claimed sign and its
corrected p is below 0.05; *refuted* if it has the other sign with such a p, or if the 95 % interval leaves out the size that the
paper reports; that two are close is confirmed if the whole interval is within the margin. All else is not decided, and the
difference that would have been seen says with what power.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.comparison.effect import magnitude
from benchmarks.evidence.block_coverage import BlockCoverage
from benchmarks.evidence.claims import CONFIRMED, OPEN, PAPERS, REFUTED, SECONDS, Claim, Compared, Counted, Paper, Reckoned, Told
from benchmarks.evidence.crash_runs import CRASH_FORM, measured
from benchmarks.evidence.experiment import Contrast, Measure, Value
from benchmarks.evidence.flag_gradient import FlagGradient
from benchmarks.evidence.guided_operators import GuidedOperators
from benchmarks.evidence.paired import ALPHA, POWER, Finding, findings, holm
from benchmarks.evidence.plot import plot, plot_shares
from benchmarks.evidence.protocol import protocol
from benchmarks.evidence.record import Stores, fill, open_stores
from benchmarks.evidence.report import amount, interval
from benchmarks.evidence.shares import NOTES, QUESTIONS, Outcomes, Records, Share, records
from benchmarks.evidence.shares import interval as interval_of_share
from benchmarks.evidence.smart_selection import SmartSelection
from benchmarks.evidence.suite_runs import SUITE_FORM
from benchmarks.evidence.suite_runs import measured as measured_suite
from benchmarks.evidence.timed_selection import contrasts as timed_contrasts
from benchmarks.suites.analysis import Results
from benchmarks.suites.configurations import ALGORITHMS
from benchmarks.suites.text import p_value, table

HERE: Final = Path(__file__).parents[1]
TIMED: Final = "004-time"
STORE: Final = HERE / "results" / "campaign" / "evidence.json"
PAGES: Final = HERE.parent / "docs" / "papers"
FAILED: Final = "failed"
CONTRASTS: Final[Mapping[str, tuple[Contrast, ...]]] = {
    "000": BlockCoverage.contrasts,
    "001": GuidedOperators.contrasts,
    "002": (),
    "003": FlagGradient.contrasts,
    "004": SmartSelection.contrasts,
    TIMED: timed_contrasts(SECONDS),
}
Found = Mapping[tuple[str, str, str], tuple[Finding, float]]
"""By both sides and the measure, with p corrected."""
Reckonings = Mapping[str, Sequence[tuple[Share | Outcomes, float]]]
"""By question, with p corrected for the number of these of a paper."""


class Answers(NamedTuple):
    """What is known of one paper."""

    found: Found
    reckoned: Reckonings
    notes: Mapping[str, str]
    """By question."""


def values_of(stores: Stores, number: str) -> list[Value]:
    """The runs of one experiment that are compared: those of its configurations, screening left out."""
    names = {name for one in CONTRASTS[number] for name in (one.first, one.second)}
    if number in ("000", "001"):
        rows = [one for one in stores[CRASH_FORM.table].rows() if one.key.seed and one.ended != FAILED]
        return [
            Value(one.key.crash, one.key.configuration, one.key.seed, measured(one))
            for one in rows
            if one.key.configuration in names
        ]
    suites = [one for one in stores[SUITE_FORM.table].rows() if one.key.seed and one.good and one.key.configuration in names]
    results = Results(suites, 1)
    found = [Value(one.key.module, one.key.configuration, one.key.seed, measured_suite(results, one)) for one in suites]
    return [*found, *_together(found)] if number in ("004", TIMED) else found


def _together(found: Sequence[Value]) -> Iterator[Value]:
    """Of all algorithms, as ``SmartSelection.values``."""
    for one in found:
        algorithm, _, approach = one.configuration.partition("/")
        yield Value(one.subject, approach, one.seed * len(ALGORITHMS) + ALGORITHMS.index(algorithm), one.measures)


def found_in(stores: Stores, number: str) -> Found:
    """What the runs say."""
    return {
        (one.first, one.second, one.measure.name): (one, corrected)
        for one, corrected in findings(values_of(stores, number), CONTRASTS[number])
    }


def verdict(asked: Compared, finding: Finding | None, corrected: float) -> str:
    """See the module."""
    if finding is None or len(finding.pairs) < 2:
        return OPEN
    scale = finding.measure.scale
    low, high = finding.low * scale, finding.high * scale
    if not asked.sign:
        return CONFIRMED if -asked.margin <= low and high <= asked.margin else OPEN
    if corrected < ALPHA:
        return CONFIRMED if finding.difference * asked.sign > 0 else REFUTED
    if asked.size is not None and (high if asked.sign > 0 else -low) < asked.size:
        return f"{REFUTED} in size"
    return OPEN


def judged(one: Share | Outcomes, corrected: float) -> str:
    """See the module."""
    if corrected >= ALPHA:
        return OPEN
    if isinstance(one, Outcomes):
        return CONFIRMED if one.only_first > one.only_second else REFUTED
    if one.at_most and not one.is_less:
        return OPEN
    return f"{REFUTED} in size" if one.is_less else CONFIRMED


def _share(count: int, of: int) -> str:
    low, high = interval_of_share(count, of)
    return f"{count / of:.1%} [{low:.1%}, {high:.1%}]"


def _reckoned(rows: Sequence[tuple[Share | Outcomes, float]]) -> str:
    shares = [(one, p) for one, p in rows if isinstance(one, Share)]
    if shares:
        heads = ["crashes", "verdict", "here [95 %]", "the paper", "corrected p"]
        return table(
            heads,
            [
                [
                    f"{one.what}{' (at least what is useful)' if one.at_most else ''}",
                    judged(one, p),
                    f"{one.count} of {one.of}: {_share(one.count, one.of)}",
                    f"{one.claimed[0]} of {one.claimed[1]}: {one.claimed[0] / one.claimed[1]:.1%}",
                    p_value(p),
                ]
                for one, p in shares
            ],
        )
    heads = [
        "all crashes looked at",
        "verdict",
        "crashes",
        "both",
        "only A [95 %]",
        "only B [95 %]",
        "A12",
        "corrected p",
        "detectable",
    ]
    return table(
        heads,
        [
            [
                f"{one.first} : {one.second}",
                judged(one, p),
                str(one.of),
                str(one.both),
                _share(one.only_first, one.of),
                _share(one.only_second, one.of),
                f"{one.effect:.2f} {magnitude(one.effect)}",
                p_value(p),
                f"{one.detectable:.1%} of crashes",
            ]
            for one, p in rows
            if isinstance(one, Outcomes)
        ],
    )


def _row(asked: Compared, found: Found) -> list[str]:
    finding, corrected = found.get((asked.first, asked.second, asked.measure), (None, 1.0))
    name = f"{asked.first} : {asked.second}, {asked.measure}"
    if finding is None:
        return [name, OPEN, "no runs yet", "", "", "", ""]
    measure: Measure = finding.measure
    more, less, same = finding.counts()
    several = len(finding.pairs) > 1
    return [
        name,
        verdict(asked, finding, corrected),
        f"{amount(finding.difference, measure)} {measure.unit} {interval(finding)}",
        f"{finding.effect:.2f} {magnitude(finding.effect)}",
        p_value(corrected) if several else "",
        f"{len(finding.pairs)} / {finding.runs}; {more} more, {less} less, {same} the same",
        amount(finding.detectable, measure).removeprefix("+") if several else "",
    ]


SEEDS_NEEDED: Final = 4
"""So many of one subject can show a significant difference, and no fewer."""


def _counted(asked: Counted, found: Found) -> list[str]:
    finding, _ = found.get((asked.first, asked.second, asked.measure), (None, 1.0))
    name = f"{asked.first} : {asked.second}"
    if finding is None:
        return [name, "no runs yet", "", "", ""]
    only = sum(any(one.first) and not any(one.second) for one in finding.pairs)
    other = sum(any(one.second) and not any(one.first) for one in finding.pairs)
    more, less = finding.significant()
    deep = sum(len(one.first) >= SEEDS_NEEDED for one in finding.pairs)
    return [name, str(len(finding.pairs)), f"{only} / {other}", str(deep), f"{more} / {less}"]


def _claim(number: int, claim: Claim, known: Answers) -> str:
    found = known.found
    compared = [one for one in claim.answers if isinstance(one, Compared)]
    told = [f"**{one.verdict}.** {one.text}" for one in claim.answers if isinstance(one, Told)]
    heads = ["contrast", "verdict", "A - B [95 %]", "A12", "corrected p", "subjects / pairs of runs", "detectable"]
    shown = [table(heads, [_row(one, found) for one in compared])] if compared else []
    counted = [one for one in claim.answers if isinstance(one, Counted)]
    if counted:
        heads = ["contrast", "subjects", "only A / only B ever", f"with {SEEDS_NEEDED} seeds or more"]
        shown.append(table([*heads, "of these A better / worse"], [_counted(one, found) for one in counted]))
    for one in claim.answers:
        if isinstance(one, Reckoned):
            shown += [_reckoned(known.reckoned[one.question]), *filter(None, [known.notes.get(one.question, "")])]
    return "\n\n".join([f"### {number}. {claim.text}", f"The paper: {claim.place}.", *shown, *told])


def _shares(known: Answers) -> list[Share]:
    return [one for rows in known.reckoned.values() for one, _ in rows if isinstance(one, Share)]


def _drawn(paper: Paper, known: Answers) -> str:
    """The plot, if there is anything to see."""
    if known.found:
        return f"![Differences over subjects: a dot for each, the mean with its 95 % interval]({paper.page}.svg)"
    return f"![Shares of crashes here and in the paper, with their 95 % intervals]({paper.page}.svg)" if _shares(known) else ""


def page(paper: Paper, known: Answers) -> str:
    """The document."""
    how = (
        "Computed by `python -m benchmarks.evidence.pages` from `campaign/evidence.json`, and counts of crashes also from "
        "`composition.json` and `usefulness.json`, all in `benchmarks/results`. A12 is the "
        "probability that the first gives more; p is that of the signed-rank test over subjects, corrected by Holm's method; "
        f"*detectable* is the true difference that so many subjects would have shown with a probability of {POWER:.0%}. "
        "[How claims are judged](index.md)."
    )
    claims = [_claim(number, one, known) for number, one in enumerate(paper.claims, 1)]
    parts = [f"# {paper.number}: {paper.title}", paper.idea, how, _drawn(paper, known), "## Claims", *claims]
    return "\n\n".join([*filter(None, parts), f"## What differs\n\n{paper.differs}"]) + "\n"


def overview(every: Mapping[str, Answers]) -> str:
    """The page about all of them."""
    heads = ["paper", "claims", "answers in figures", CONFIRMED, REFUTED, OPEN]
    rows = []
    for paper in PAPERS:
        asked = [one for claim in paper.claims for one in claim.answers if isinstance(one, Compared)]
        known = every[paper.number]
        said = [verdict(one, *known.found.get((one.first, one.second, one.measure), (None, 1.0))) for one in asked]
        said += [judged(one, p) for rows_of in known.reckoned.values() for one, p in rows_of]
        counts = [said.count(CONFIRMED), sum(one.startswith(REFUTED) for one in said), said.count(OPEN)]
        rows.append([f"[{paper.number} {paper.title}]({paper.page}.md)", str(len(paper.claims)), str(len(said)), *map(str, counts)])
    how = (
        "A contrast confirms a claim if the difference has the claimed sign and p, corrected for the number of contrasts, is below "
        f"{ALPHA}. It refutes it if it has the other sign with such a p, or (*in size*) if the 95 % interval leaves "
        f"out the difference "
        "that the paper reports. That two are close is confirmed if the whole interval lies within two points. All "
        "else is not decided; "
        "*detectable* says what would have been seen. Counts of crashes are of all that were looked at, whoever was chosen for "
        "the contrasts: a share refutes the paper's *in size* if it is smaller with a p (Fisher's exact test of both counts) "
        f"below {ALPHA}; of two that were tried on the same crashes, McNemar's test decides. "
        "Other claims rest on figures of other benchmarks, which are named."
    )
    return (
        "\n\n".join(
            [
                "# The five papers, claim by claim",
                "crashwright builds on five papers, whose experiments are on Java. What do their claims look like on "
                "Python? The campaign that "
                "asks is not finished: `benchmarks/results/campaign` has its runs so far, and these pages are computed from them.",
                table(heads, rows),
                how,
                "[The protocol](protocol.md) is on one page, with the command that repeats it.",
            ]
        )
        + "\n"
    )


def reckonings(paper: Paper, counted: Records) -> Reckonings:
    """Of its claims that ask for counts."""
    asked = [one.question for claim in paper.claims for one in claim.answers if isinstance(one, Reckoned)]
    rows = [(question, one) for question in asked for one in QUESTIONS[question](counted)]
    corrected = holm([one.p for _, one in rows])
    pairs = [(question, one, p) for (question, one), p in zip(rows, corrected, strict=True)]
    return {question: [(one, p) for of, one, p in pairs if of == question] for question in asked}


def answers_by_paper(store: Path) -> dict[str, Answers]:
    """What the runs of the file say of each, by its number."""
    with tempfile.TemporaryDirectory() as folder:
        stores = open_stores(Path(folder, "store.sqlite"))
        try:
            for file in (store, store.with_name("evidence-time.json")):
                if file.exists():
                    fill(stores, file)
            counted = records(stores[CRASH_FORM.table].rows())
            notes = {question: told(counted) for question, told in NOTES.items()}
            timed = found_in(stores, TIMED)
            return {
                paper.number: Answers(
                    {**found_in(stores, paper.number), **(timed if paper.number == "004" else {})},
                    reckonings(paper, counted),
                    notes,
                )
                for paper in PAPERS
            }
        finally:
            for one in stores.values():
                one.close()


def pages(store: Path) -> dict[str, str]:
    """All pages by their file names."""
    every = answers_by_paper(store)
    made = {f"{paper.page}.md": page(paper, every[paper.number]) for paper in PAPERS}
    return {"index.md": overview(every), "protocol.md": protocol(), **made}


def plots(store: Path, folder: Path) -> None:
    """Into ``folder``, one for each paper with runs."""
    every = answers_by_paper(store)
    for paper in PAPERS:
        found = [one for one, _ in every[paper.number].found.values()]
        if found:
            plot(found, folder / f"{paper.page}.svg")
        elif shares := _shares(every[paper.number]):
            plot_shares(shares, folder / f"{paper.page}.svg")


def main(arguments: Sequence[str]) -> int:
    """Write them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.pages", description=__doc__)
    parser.add_argument("--store", type=Path, default=STORE)
    parser.add_argument("--output", type=Path, default=PAGES)
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    for name, text in pages(options.store).items():
        (options.output / name).write_text(text, encoding="utf-8")
    plots(options.store, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
