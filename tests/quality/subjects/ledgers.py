"""Ledgers in files, whose names say the year and the form."""

from __future__ import annotations

from pathlib import Path


class BadLedger(ValueError):
    pass


def rows(lines: list[str]) -> list[list[str]]:
    return [line.split("\t") for line in lines]


def marks(lines: list[str]) -> list[list[str]]:
    head = lines[0].split("|")
    return [line.split("|")[: len(head)] for line in lines[1:]]


FORMS = {"tsv": rows, "bar": marks}


def load(path: str) -> dict[int, list[list[str]]]:
    place = Path(path)
    name, _, form = place.name.partition(".")
    if form not in FORMS:
        raise BadLedger(f"unknown form {form}")
    head, _, year = name.partition("-")
    if head != "ledger" or not year.isdigit():
        raise BadLedger("no ledger")
    return {int(year): FORMS[form](place.read_text().splitlines())}
