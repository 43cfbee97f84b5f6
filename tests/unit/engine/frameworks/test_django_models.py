"""What Django's models declare, and what query sets ask for: with the real Django, and a database in memory."""

from __future__ import annotations

import datetime

import django
import pytest
from django.conf import settings

from crashwright.engine.frameworks.django import Django
from crashwright.engine.frameworks.store import ColumnCondition, Field

if not settings.configured:
    settings.configure(
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=[],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    )
    django.setup()

from django.db import models
from django.db.models import Q

STORE = Django()


class Team(models.Model):
    """Referred to."""

    slug = models.SlugField(unique=True)

    class Meta:
        """Of no application that is installed."""

        app_label = "crashwright_tests"


class Ticket(models.Model):
    """Refers to a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE)
    state = models.CharField(max_length=5, choices=[("new", "New"), ("done", "Done")], default="new")
    due = models.DateField()
    answered = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Of no application that is installed."""

        app_label = "crashwright_tests"
        unique_together = (("team", "due"),)


def conditions(query: models.QuerySet[Ticket]) -> tuple[ColumnCondition, ...]:
    """Of a query set that is run, which comes no further than to find no table."""
    STORE.begin()
    with pytest.raises(Exception, match="no such table"):
        list(query)
    [one] = STORE.end()
    assert one.models == (Ticket,)
    return one.conditions


def test_fields_say_what_is_needed_and_what_may_be() -> None:
    found = {field.name: field for field in STORE.fields(Ticket)}
    assert found["team"] == Field("team", Team, True, False, ("team_id", "team"), (), Team, ("id", "id"))
    assert (found["state"].members, found["state"].required) == (("new", "done"), False)
    assert (found["due"].kind, found["due"].required) == (datetime.date, True)
    assert found["answered"].nullable
    assert (found["id"].key, found["id"].required) == (True, False)
    assert STORE.fields(int) == ()


def test_conditions_are_read_of_a_query_set() -> None:
    day = datetime.date(2026, 3, 1)
    query = Ticket.objects.filter(answered__isnull=True, due__lt=day, team__slug="field").exclude(state__in=["done"])
    assert set(conditions(query)) == {
        ColumnCondition(Ticket, "answered", "==", None),
        ColumnCondition(Ticket, "due", "<", day),
        ColumnCondition(Team, "slug", "==", "field"),
        ColumnCondition(Ticket, "state", "!=", "done"),
    }


def test_of_alternatives_one_is_enough() -> None:
    assert conditions(Ticket.objects.filter(Q(state="done") | Q(answered__isnull=False))) == (
        ColumnCondition(Ticket, "state", "==", "done"),
    )


def test_nothing_is_noted_that_nobody_asked_for() -> None:
    STORE.begin()
    assert STORE.end() == []
    assert STORE.rows_save_themselves


def test_what_is_stored_has_something_that_would_stand_in_its_way() -> None:
    STORE.begin()
    with pytest.raises(Exception, match="no such table"):
        Team(slug="own").save()
    STORE.begin_call()
    for stored in (Team(slug="red"), Ticket(team_id=3, due=datetime.date(2026, 3, 1))):
        with pytest.raises(Exception, match="no such table"):
            stored.save()
    found = [one.conditions for one in STORE.end() if one.in_the_way]
    assert found == [
        (ColumnCondition(Team, "slug", "==", "red"),),
        (ColumnCondition(Ticket, "team_id", "==", 3), ColumnCondition(Ticket, "due", "==", datetime.date(2026, 3, 1))),
    ]
