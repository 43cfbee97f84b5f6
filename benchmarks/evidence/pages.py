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
from typing import Final

from benchmarks.comparison.effect import magnitude
from benchmarks.evidence.block_coverage import BlockCoverage
from benchmarks.evidence.claims import CONFIRMED, OPEN, PAPERS, REFUTED, Claim, Compared, Counted, Paper, Told
from benchmarks.evidence.crash_runs import CRASH_FORM, measured
from benchmarks.evidence.experiment import Contrast, Measure, Value
from benchmarks.evidence.flag_gradient import FlagGradient
from benchmarks.evidence.guided_operators import GuidedOperators
from benchmarks.evidence.paired import ALPHA, POWER, Finding, findings
from benchmarks.evidence.plot import plot
from benchmarks.evidence.protocol import protocol
from benchmarks.evidence.record import Stores, fill, open_stores
from benchmarks.evidence.report import amount, interval
from benchmarks.evidence.smart_selection import SmartSelection
from benchmarks.evidence.suite_runs import SUITE_FORM
from benchmarks.evidence.suite_runs import measured as measured_suite
from benchmarks.suites.analysis import Results
from benchmarks.suites.configurations import ALGORITHMS, ALL, SMART, named
from benchmarks.suites.text import p_value, table

HERE: Final = Path(__file__).parents[1]
STORE: Final = HERE / "results" / "campaign" / "evidence.json"
PAGES: Final = HERE.parent / "docs" / "papers"
FAILED: Final = "failed"
CONTRASTS: Final[Mapping[str, tuple[Contrast, ...]]] = {
    "000": BlockCoverage.contrasts,
    "001": GuidedOperators.contrasts,
    "002": (),
    "003": FlagGradient.contrasts,
    "004": SmartSelection.contrasts,
}
Found = Mapping[tuple[str, str, str], tuple[Finding, float]]
"""By both sides and the measure, with p corrected."""


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
    wanted = {*names, *(named(one, side) for one in ALGORITHMS for side in (SMART, ALL))} if number == "004" else names
    suites = [one for one in stores[SUITE_FORM.table].rows() if one.key.seed and one.good and one.key.configuration in wanted]
    results = Results(suites, 1)
    found = [Value(one.key.module, one.key.configuration, one.key.seed, measured_suite(results, one)) for one in suites]
    return [*found, *_together(found)] if number == "004" else found


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


def _claim(number: int, claim: Claim, found: Found) -> str:
    compared = [one for one in claim.answers if isinstance(one, Compared)]
    told = [f"**{one.verdict}.** {one.text}" for one in claim.answers if isinstance(one, Told)]
    heads = ["contrast", "verdict", "A - B [95 %]", "A12", "corrected p", "subjects / pairs of runs", "detectable"]
    shown = [table(heads, [_row(one, found) for one in compared])] if compared else []
    counted = [one for one in claim.answers if isinstance(one, Counted)]
    if counted:
        heads = ["contrast", "subjects", "only A / only B ever", f"with {SEEDS_NEEDED} seeds or more"]
        shown.append(table([*heads, "of these A better / worse"], [_counted(one, found) for one in counted]))
    return "\n\n".join([f"### {number}. {claim.text}", f"The paper: {claim.place}.", *shown, *told])


def _drawn(paper: Paper, found: Found) -> str:
    """The plot, if there is anything to see."""
    return f"![Differences over subjects: a dot for each, the mean with its 95 % interval]({paper.page}.svg)" if found else ""


def page(paper: Paper, found: Found) -> str:
    """The document."""
    how = (
        "Computed from `benchmarks/results/campaign/evidence.json` by `python -m benchmarks.evidence.pages`. A12 is the "
        "probability that the first gives more; p is that of the signed-rank test over subjects, corrected by Holm's method; "
        f"*detectable* is the true difference that so many subjects would have shown with a probability of {POWER:.0%}. "
        "[How claims are judged](index.md)."
    )
    claims = [_claim(number, one, found) for number, one in enumerate(paper.claims, 1)]
    parts = [f"# {paper.number}: {paper.title}", paper.idea, how, _drawn(paper, found), "## Claims", *claims]
    return "\n\n".join([*filter(None, parts), f"## What differs\n\n{paper.differs}"]) + "\n"


def overview(every: Mapping[str, Found]) -> str:
    """The page about all of them."""
    heads = ["paper", "claims", "contrasts", CONFIRMED, REFUTED, OPEN]
    rows = []
    for paper in PAPERS:
        asked = [one for claim in paper.claims for one in claim.answers if isinstance(one, Compared)]
        found = every[paper.number]
        said = [verdict(one, *found.get((one.first, one.second, one.measure), (None, 1.0))) for one in asked]
        counts = [said.count(CONFIRMED), sum(one.startswith(REFUTED) for one in said), said.count(OPEN)]
        rows.append([f"[{paper.number} {paper.title}]({paper.page}.md)", str(len(paper.claims)), str(len(said)), *map(str, counts)])
    judged = (
        "A contrast confirms a claim if the difference has the claimed sign and p, corrected for the number of contrasts, is below "
        f"{ALPHA}. It refutes it if it has the other sign with such a p, or (*in size*) if the 95 % interval leaves "
        f"out the difference "
        "that the paper reports. That two are close is confirmed if the whole interval lies within two points. All "
        "else is not decided; "
        "*detectable* says what would have been seen. Other claims rest on figures of other benchmarks, which are named."
    )
    return (
        "\n\n".join(
            [
                "# The five papers, claim by claim",
                "crashwright builds on five papers, whose experiments are on Java. What do their claims look like on "
                "Python? The campaign that "
                "asks is not finished: `benchmarks/results/campaign` has its runs so far, and these pages are computed from them.",
                table(heads, rows),
                judged,
                "[The protocol](protocol.md) is on one page, with the command that repeats it.",
            ]
        )
        + "\n"
    )


def found_by_paper(store: Path) -> dict[str, Found]:
    """What the runs of the file say of each, by its number."""
    with tempfile.TemporaryDirectory() as folder:
        stores = open_stores(Path(folder, "store.sqlite"))
        try:
            fill(stores, store)
            return {paper.number: found_in(stores, paper.number) for paper in PAPERS}
        finally:
            for one in stores.values():
                one.close()


def pages(store: Path) -> dict[str, str]:
    """All pages by their file names."""
    every = found_by_paper(store)
    made = {f"{paper.page}.md": page(paper, every[paper.number]) for paper in PAPERS}
    return {"index.md": overview(every), "protocol.md": protocol(), **made}


def plots(store: Path, folder: Path) -> None:
    """Into ``folder``, one for each paper with runs."""
    every = found_by_paper(store)
    for paper in PAPERS:
        found = [one for one, _ in every[paper.number].values()]
        if found:
            plot(found, folder / f"{paper.page}.svg")


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
