from __future__ import annotations

from crashwright.reporting.html.source import source_lines


def test_lines_keep_their_text_and_numbers_and_get_colours() -> None:
    text = 'def f(x):\n    """One\n    two."""\n\n    return "a" < 1  # so\n'
    lines = source_lines(text, 7)
    assert [line.number for line in lines] == [7, 8, 9, 10, 11]
    assert "\n".join("".join(piece.text for piece in line.pieces) for line in lines) == text.rstrip("\n")
    assert {piece.kind: piece.text for piece in lines[-1].pieces if piece.kind} == {
        "keyword": "return", "string": '"', "number": "1", "comment": "# so"
    }  # fmt: skip
    assert [piece.kind for piece in lines[2].pieces if piece.text.strip()] == ["comment"]


def test_source_that_is_no_python_is_shown_as_it_is() -> None:
    assert "".join(piece.text for piece in source_lines("$ <b> ?\u00e4")[0].pieces) == "$ <b> ?\u00e4"
