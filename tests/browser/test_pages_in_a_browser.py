"""Pages in a real browser: nothing is loaded, nothing complains, clicks and keys do what they say, and axe finds nothing wrong.

They need ``pip install '.[browser]'`` and ``apt install chromium`` (or CRASHWRIGHT_TEST_BROWSER, its path): the gate has both.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from page_checks import HOSTILE, hostile
from shown_results import RESULT
from shown_suites import SUITES

from crashwright.reporting.html.batch_page import batch_page
from crashwright.reporting.html.crash_page import crash_page
from crashwright.reporting.html.suite_page import suite_page
from crashwright.reporting.html.table_page import Column, ColumnKind, table_page
from crashwright.reporting.json_result import document
from crashwright.reporting.suite_progress import suite_document

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install '.[browser]'")
axe = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed: pip install '.[browser]'")
BROWSER = os.environ.get("CRASHWRIGHT_TEST_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
AXE = files(axe).joinpath("axe.min.js")
pytestmark = pytest.mark.skipif(not BROWSER, reason="no Chromium on this machine: apt install chromium")
COLUMNS = (Column("Crash"), Column("State", ColumnKind.CHOICE), Column("Seen", ColumnKind.NUMBER), Column("Story", ColumnKind.LONG))
MANY = 100_000
WIDTHS = (400, 800, 1280)
TITLES = (
    "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0) in inventory/stock.py:88 Shelf._locate",
    "KeyError: 'nut' in shop.py:38 Shelf.find",
    "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in importer/readers/excel.py:120 read_sheet",
)
BATCH = {
    "folder": "crashwright-tests",
    "crashes": [
        {
            "title": TITLES[one % 3],
            "verdict": ("reproduced", "partial", "not found", "not possible")[one % 4],
            "count": 4000 - one,
            "subject": ("inventory 2.4.1", "shop 1.2", "importer 0.9.1rc2")[one % 3],
            "evaluations": one * 12_345,
            "seconds": 59.5,
            "file": f"test_inventory_reserve_from_empty_shelf_3f2a_{one}.py" if one % 2 else "",
            "reason": "reproduced from `Shelf._locate` (frame 2), not from `Inventory.reserve` (frame 3)",
            "source": "logs/production/2026-11-25/application-worker-3.log",
        }
        for one in range(30)
    ],
}
PAGES = {
    "crash": lambda: crash_page(document(RESULT)),
    "hostile crash": lambda: crash_page(document(hostile(RESULT))),
    "suite": lambda: suite_page(suite_document(SUITES)),
    "batch": lambda: batch_page(BATCH, "batch.html"),
    "hostile suite": lambda: suite_page(suite_document(hostile(SUITES))),
    "table": lambda: rows_page(12),
    "hostile table": lambda: table_page(HOSTILE, COLUMNS, [(HOSTILE, HOSTILE, 1, HOSTILE)] * 3, [(HOSTILE, HOSTILE)], [HOSTILE]),
}


def rows_page(count: int) -> str:
    states = ("reproduced", "partial", "not found")
    rows = ((f"IndexError in module_{one % 997}", states[one % 3], one * 7 % 1000, "a\nb") for one in range(count))
    return table_page("A batch", COLUMNS, rows)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


class Seen:
    """What a page did besides being there."""

    def __init__(self, page: Any) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))


@contextmanager
def shown(browser: Any, text: str, tmp_path: Path, **options: Any) -> Iterator[tuple[Any, Seen]]:
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    context = browser.new_context(**options)
    page = context.new_page()
    seen = Seen(page)
    page.goto(file.as_uri())
    yield page, seen
    assert seen.complaints == []
    assert seen.requests == [file.as_uri()]
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_loaded_and_nothing_complains(name: str, browser: Any, tmp_path: Path) -> None:
    with shown(browser, PAGES[name](), tmp_path) as (page, _):
        assert page.locator("h1").count() == 1
        assert page.evaluate("document.scripts.length") <= 2
        assert page.locator("img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [name for name in PAGES if "hostile" not in name])
def test_axe_finds_nothing(name: str, scheme: str, browser: Any, tmp_path: Path) -> None:
    with shown(browser, PAGES[name](), tmp_path, color_scheme=scheme, bypass_csp=True) as (page, _):
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run()")["violations"]
        assert [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found] == []


# Words of up to twelve letters that a line break goes through; text that a monospaced line holds is scrolled and not broken.
BROKEN = r"""() => {
  const found = [], range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    if (!node.parentElement.checkVisibility() || node.parentElement.closest("pre, code, svg, option, .hidden")) continue;
    for (const word of node.data.matchAll(/[A-Za-z]{2,12}/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set(Array.from(range.getClientRects(), (one) => Math.round(one.top))).size > 1) found.push(word[0]);
    }
  }
  return found;
}"""
OUTSIDE = """() => [...document.querySelectorAll("main *, header *")].filter((one) => {
  const box = one.getBoundingClientRect();
  const scrolled = one.closest(".code, .annotated, .hidden, .wide:not(:has(.cards))");
  return box.width && !scrolled && (box.right > innerWidth + 1 || box.left < -1);
}).map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("width", [400, pytest.param(800, marks=pytest.mark.nightly), 1280])
@pytest.mark.parametrize("name", [name for name in PAGES if "hostile" not in name])
def test_pages_fit_the_screen_and_break_no_words(name: str, width: int, scheme: str, browser: Any, tmp_path: Path) -> None:
    with shown(browser, PAGES[name](), tmp_path, viewport={"width": width, "height": 900}, color_scheme=scheme) as (page, _):
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_written_on_charts_can_be_read(width: int, browser: Any, tmp_path: Path) -> None:
    with shown(browser, PAGES["crash"](), tmp_path, viewport={"width": width, "height": 900}) as (page, _):
        sizes = page.evaluate("[...document.querySelectorAll('.plot text')].map((one) => one.getBoundingClientRect().height)")
        assert len(sizes) > 6
        assert min(sizes) >= 12
        cut = """() => [...document.querySelectorAll(".plot text")].filter((one) => {
          const [text, whole] = [one.getBoundingClientRect(), one.closest("svg").getBoundingClientRect()];
          return text.left < whole.left - 1 || text.right > whole.right + 1 || text.bottom > whole.bottom + 1;
        }).map((one) => one.textContent)"""
        assert page.evaluate(cut) == []


def test_what_is_chosen_is_kept_in_the_address(browser: Any, tmp_path: Path) -> None:
    with shown(browser, rows_page(250), tmp_path) as (page, seen):
        page.get_by_role("button", name="Seen").click()
        page.get_by_role("button", name="Seen").click()
        page.get_by_label("State").select_option("partial")
        page.get_by_label("Rows with").fill("module_24")
        sync_api.expect(page.locator("#count")).to_have_text("Rows 1 to 3 of 3, of 250 in all")
        address, rows = page.url, page.locator("#table tbody").inner_text()
        page.reload()
        assert page.url == address
        assert page.locator("#table tbody").inner_text() == rows
        assert page.get_by_label("Rows with").input_value() == "module_24"
        assert page.locator("th", has_text="Seen").get_attribute("aria-sort") == "descending"
        page.goto(f"{address.partition('#')[0]}#column-1=no+such+thing&up=99&rows=%3Cscript%3E")
        sync_api.expect(page.locator("#count")).to_have_text("No rows, of 250 in all")
        page.get_by_label("Rows with").fill("")
        sync_api.expect(page.locator("#count")).to_have_text("Rows 1 to 100 of 250")
        del seen.requests[1:]  # the page itself, again


def test_a_test_is_one_click_away(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "crashwright-tests").mkdir()
    name = "test_inventory_reserve_from_empty_shelf_3f2a_1.py"
    (tmp_path / "crashwright-tests" / name).write_text("def test_it(): ...\n")
    with shown(browser, PAGES["batch"](), tmp_path) as (page, seen):
        page.get_by_role("link", name=name, exact=True).click()
        assert page.url == (tmp_path / "crashwright-tests" / name).as_uri()
        del seen.requests[1:]


def test_colours_follow_the_reader(browser: Any, tmp_path: Path) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        with shown(browser, PAGES["crash"](), tmp_path, color_scheme=scheme) as (page, _):
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(253, 253, 252)", "rgb(20, 24, 27)"]


def test_a_table_is_sorted_filtered_and_turned_by_keys(browser: Any, tmp_path: Path) -> None:
    with shown(browser, rows_page(250), tmp_path) as (page, _):
        count, rows = page.locator("#count"), page.locator("#table tbody tr")
        assert count.text_content() == "Rows 1 to 100 of 250"
        page.get_by_role("button", name="Next").press("Enter")
        assert count.text_content() == "Rows 101 to 200 of 250"
        page.get_by_role("button", name="Seen").press("Enter")
        page.get_by_role("button", name="Seen").press("Enter")
        assert page.locator("th", has_text="Seen").get_attribute("aria-sort") == "descending"
        seen = [int(text) for text in rows.locator("td:nth-child(3)").all_text_contents()]
        assert seen == sorted(seen, reverse=True)
        page.get_by_label("State").select_option("partial")
        assert count.text_content() == "Rows 1 to 83 of 83, of 250 in all"
        page.get_by_label("Rows with").press_sequentially("module_247")
        sync_api.expect(count).to_have_text("Rows 1 to 1 of 1, of 250 in all")
        page.get_by_label("Rows with").fill("no such thing")
        sync_api.expect(count).to_have_text("No rows, of 250 in all")


def test_a_hundred_thousand_rows_stay_usable(browser: Any, tmp_path: Path) -> None:
    with shown(browser, rows_page(MANY), tmp_path) as (page, _):
        assert page.locator("#count").text_content() == "Rows 1 to 100 of 100,000"
        assert page.locator("#table tbody tr").count() == 100
        page.get_by_role("button", name="Seen").click()
        page.get_by_role("button", name="Last").click()
        assert page.locator("#count").text_content() == "Rows 99,901 to 100,000 of 100,000"
        page.get_by_label("Rows with").fill("module_996")
        sync_api.expect(page.locator("#count")).to_have_text("Rows 1 to 100 of 100, of 100,000 in all")


def test_without_a_script_the_first_rows_are_there(browser: Any, tmp_path: Path) -> None:
    with shown(browser, rows_page(250), tmp_path, java_script_enabled=False) as (page, _):
        assert page.locator("#table tbody tr").count() == 100
        assert page.locator(".controls").is_hidden()
        assert "The first 100 rows are shown" in page.locator("noscript").inner_text()


def test_branches_that_are_open_are_gone_through_by_keys(browser: Any, tmp_path: Path) -> None:
    with shown(browser, PAGES["suite"](), tmp_path) as (page, _):
        forward = page.get_by_role("button", name="Next branch not taken")
        forward.press("Enter")
        assert page.evaluate("document.activeElement.dataset.line") == "2"
        assert page.evaluate("document.activeElement.parentElement.open")
        forward.press("Enter")
        assert page.evaluate("document.activeElement.dataset.line") == "4"


def test_on_paper_all_is_unfolded_and_the_buttons_are_gone(browser: Any, tmp_path: Path) -> None:
    with shown(browser, PAGES["crash"](), tmp_path) as (page, _):
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert page.evaluate("[...document.querySelectorAll('details')].every((one) => one.open)")
        assert page.get_by_role("button", name="Copy the test").is_hidden()
        assert page.pdf()[:5] == b"%PDF-"


def test_the_skip_link_is_the_first_stop_of_the_keyboard(browser: Any, tmp_path: Path) -> None:
    with shown(browser, PAGES["crash"](), tmp_path) as (page, _):
        page.keyboard.press("Tab")
        assert json.loads(page.evaluate("JSON.stringify([document.activeElement.textContent])")) == ["Skip to the content"]
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "content"
