"""What views of Django take by their forms. Django is set up once in a process, so a child looks at it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from patience import HANG

pytest.importorskip("django", reason="Django is in the test extra")

VIEWS = """
import json, sys, types
import django
from django import forms
from django.conf import settings
from django.shortcuts import render
from django.urls import path
from django.views.generic import FormView
from crashwright.core.preparation import FrameworkSetUp, Preparation
from crashwright.engine.frameworks.registry import listening, routes_of
from crashwright.engine.sources.applications.replies import reply_of

class Lend(forms.Form):
    tool = forms.CharField(min_length=2)
    days = forms.IntegerField(min_value=1, max_value=30, required=False)
    unit = forms.ChoiceField(choices=[("d", "day"), ("long", [("w", "week")])])
    back = forms.DateField()
    def clean_tool(self):
        raise forms.ValidationError("No such tool.")
    def clean(self):
        raise forms.ValidationError("Closed today.")

class LendView(FormView):
    form_class = Lend
    template_name = "lend.html"
    def form_valid(self, form): ...

class Later(LendView):
    def act(self): ...

def ask(request):
    form = Lend(request.POST)
    return render(request, "lend.html", {"form": form})

def plain(request): ...

class Tariff:  # as a serializer of the REST framework looks
    _declared_fields = {}
    def to_internal_value(self, data): ...
    @property
    def fields(self):
        seen = forms.IntegerField()
        seen.read_only = True
        unit = forms.ChoiceField(choices=[("d", "day")])
        unit._choices = {"d": "day", "w": "week"}
        return {"id": seen, "unit": unit}

class Broken(Tariff):
    def __init__(self, needed): ...

class Rates:
    serializer_class = Broken
    def retrieve(self, request): ...
    def tariff(self, request):
        return Tariff(data=request.data)

def rates(request): ...
rates.cls, rates.actions = Rates, {"put": "tariff"}

urls = types.ModuleType("urls")
urls.urlpatterns = [path("lend", Later.as_view()), path("ask", ask), path("plain", plain), path("rates", rates)]
sys.modules["urls"] = urls
loaders = [("django.template.loaders.locmem.Loader", {"lend.html": "<!doctype html><p>{{ form.as_p }}"})]
settings.configure(ROOT_URLCONF="urls", ALLOWED_HOSTS=["*"], TEMPLATES=[
    {"BACKEND": "django.template.backends.django.DjangoTemplates", "OPTIONS": {"loaders": loaders}}])
django.setup()
from django.test import Client
prepared = Preparation(FrameworkSetUp("django", "urls"))
routes = {one.path: one for one in routes_of(prepared)}
told = {name: one.description and one.description.methods["post"] for name, one in routes.items() if name != "/rates"}
rates = routes["/rates"].description
with listening(prepared):
    refused = reply_of(Client().post("/ask", {"tool": "drill", "unit": "d", "back": "2099-01-01"}))
unheard = reply_of(Client().post("/ask", {"tool": "drill"}))
print(json.dumps({
    "told": told,
    "rates": [rates.methods["put"], rates.document],
    "keys": [key.qualname for key in routes["/lend"].keys if key.module == "__main__"],
    "refused": [refused.succeeded, refused.text, refused.wrong],
    "unheard": [unheard.succeeded, unheard.page],
}))
"""


@pytest.fixture(scope="module")
def said() -> dict[str, object]:
    done = subprocess.run([sys.executable, "-c", VIEWS], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_fields_of_forms_are_described(said: dict[str, dict[str, object]]) -> None:
    properties = {
        "tool": {"type": "string", "minLength": 2},
        "days": {"type": "integer", "minimum": 1, "maximum": 30},
        "unit": {"type": "string", "enum": ["d", "w"]},
        "back": {"type": "string", "format": "date"},
    }
    schema = {"type": "object", "properties": properties, "required": ["tool", "unit", "back"]}
    described = {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}
    assert said["told"] == {"/lend": described, "/ask": described, "/plain": None}


def test_what_a_serializer_takes_is_described_of_the_function_that_answers(said: dict[str, object]) -> None:
    schema = {"type": "object", "properties": {"unit": {"type": "string", "enum": ["d", "w"]}}, "required": ["unit"]}
    described = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    assert said["rates"] == [described, "data={}, content_type='application/json'"]


def test_what_the_framework_calls_back_belongs_to_the_view_and_so_does_its_form(said: dict[str, object]) -> None:
    assert said["keys"] == ["Later.act", "LendView.form_valid", "Lend.clean_tool", "Lend.clean"]


def test_a_page_with_what_its_form_complains_of_is_no_success(said: dict[str, object]) -> None:
    assert said["refused"] == [False, "200 tool: No such tool.; Closed today.", ["tool"]]


def test_without_listening_it_is_a_page(said: dict[str, object]) -> None:
    assert said["unheard"] == [True, True]
