"""Weak mutation while the subject runs: sites with mutants, their probes, and the least infection distances of a run.

A site is an expression with mutants. Its probe gets result and operands, hands the result back and notes distances. Sites that are
evaluated together form a group; rewritten code skips the probes of a group with nothing open: whose wanted mutants have all
differed in this run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from crashwright.core.location import CodeKey, Position
from crashwright.engine.instrument.infection_probes import Entry, Group, MakeSite, MutantLedger, SiteProbes
from crashwright.engine.subject.mutants.enumeration import Mutant
from crashwright.engine.subject.mutants.operators import Operator

SiteKey = tuple[CodeKey, str, Position, int]
GroupKey = tuple[CodeKey, str, Position]
NOTHING: Mapping[int, float] = MappingProxyType({})


def site_of(mutant: Mutant) -> SiteKey:
    """The mutants of one expression share a site."""
    return mutant.key, mutant.node, mutant.position, mutant.copy


class InfectionSite:
    """``number`` is that under which rewritten code names it. ``live`` are the entries of its wanted mutants."""

    __slots__ = ("entries", "group", "live", "mutants", "names", "number", "probes")

    def __init__(self, number: int, mutants: Sequence[Mutant]) -> None:
        self.number = number
        self.mutants = tuple(mutants)
        self.names = tuple(mutant.replacement for mutant in mutants if mutant.operator is Operator.VARIABLE)
        """The local variables that its probe wants to see too."""
        self.entries: list[Entry] = []
        self.live: list[Entry] = []
        self.group: Group | None = None
        self.probes: SiteProbes | None = None


class Infections:
    """The sites of all mutants of one engine, and what happened to them in this run. Mutants are told apart by their numbers."""

    def __init__(self, make: MakeSite) -> None:
        """``make``: what makes the probes of a site."""
        self._make = make
        self._sites: list[InfectionSite] = []
        self._numbers: dict[SiteKey, int] = {}
        self._groups: dict[GroupKey, int] = {}
        self._group_list: list[Group] = []
        self._site_of: dict[int, InfectionSite] = {}
        self._wanted: frozenset[int] | None = None
        self._ledger = MutantLedger()

    def add(self, mutants: Sequence[Mutant]) -> None:
        """Makes sites; mutants whose site is known are left out."""
        by_site: dict[SiteKey, list[Mutant]] = {}
        for mutant in mutants:
            by_site.setdefault(site_of(mutant), []).append(mutant)
        for key, found in by_site.items():
            if key not in self._numbers:
                self._numbers[key] = len(self._sites)
                site = InfectionSite(len(self._sites), found)
                self._sites.append(site)
                self._site_of.update((mutant.number, site) for mutant in found)

    def number_of(self, key: SiteKey) -> int:
        """The number of a site. Raises KeyError for one that is not known."""
        return self._numbers[key]

    def site(self, number: int) -> InfectionSite:
        """By number."""
        return self._sites[number]

    def group(self, key: GroupKey) -> int:
        """The number of a group, made when first asked for."""
        if key not in self._groups:
            self._groups[key] = len(self._group_list)
            self._group_list.append(Group())
        return self._groups[key]

    def group_object(self, number: int) -> Group:
        """What rewritten code asks: ``.open`` is the number of wanted mutants that have not differed in this run."""
        return self._group_list[number]

    def probe(self, number: int, form: str) -> Callable[..., object]:
        """The probe of a site (see ``infection_probes``), made when first asked for."""
        return getattr(self._probed(number), form)  # type: ignore[no-any-return]

    def _probed(self, number: int) -> SiteProbes:
        site = self._sites[number]
        if site.probes is None:
            assert site.group is not None
            site.probes = self._make(site.mutants, site.entries, site.live, site.group, self._ledger)
            self._renew(site)
        return site.probes

    def join(self, number: int, group: int | None) -> None:
        """Puts a site into a group, or into one of its own; the first call counts."""
        site = self._sites[number]
        if site.group is None:
            site.group = Group() if group is None else self._group_list[group]
            self._probed(number)

    def probed(self) -> tuple[Mutant, ...]:
        """The mutants whose site carries a probe in some code, by number."""
        found = [mutant for site in self._sites if site.probes is not None for mutant in site.mutants]
        return tuple(sorted(found, key=lambda mutant: mutant.number))

    # -- runs

    def want(self, numbers: frozenset[int] | None) -> None:
        """From now on only these mutants are measured (None: all). Takes effect at once, whatever code runs. Costs as much as there
        are sites that it changes anything for."""
        before, self._wanted = self._wanted, numbers
        if before is None or numbers is None:
            sites = {} if before is numbers else {site.number: site for site in self._sites}
        else:
            changed = [self._site_of[number] for number in before ^ numbers if number in self._site_of]
            sites = {site.number: site for site in changed}
        for site in sites.values():
            if site.probes is not None:
                self._renew(site)

    def _renew(self, site: InfectionSite) -> None:
        assert site.group is not None
        wanted = self._wanted
        site.group.wanted -= len(site.live)
        site.live[:] = [entry for entry in site.entries if wanted is None or entry[0] in wanted]
        site.group.wanted += len(site.live)
        site.group.open = site.group.wanted
        if site.probes is not None:
            site.probes.renewed(site.live)

    def begin(self) -> None:
        """A run begins."""
        self._ledger.clear()

    def taken(self) -> Mapping[int, float]:
        """The least distances of this run so far, of the mutants touched. Not changed later."""
        least = self._ledger.least
        return dict(least) if least else NOTHING
