"""Samples of markup: XML and HTML by their specifications, Markdown by CommonMark, reStructuredText."""

from __future__ import annotations

# fmt: off
XML = (
    "<alpha/>", "<alpha></alpha>", "<alpha>text</alpha>", '<alpha beta="1"/>', "<alpha beta='1' gamma='2'>text</alpha>",
    "<alpha> <beta/> </alpha>", "<alpha><beta>1</beta><beta>2</beta></alpha>", "<alpha>text<beta/>text</alpha>",
    "<alpha><beta><gamma>text</gamma></beta></alpha>", '<?xml version="1.0"?>\n<alpha/>',
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<alpha>é</alpha>', "<alpha><!-- comment --></alpha>",
    "<alpha><![CDATA[<text> & more]]></alpha>", "<alpha><?target data?></alpha>",
    "<alpha>&lt;&amp;&gt;&quot;&apos;&#65;&#x41;</alpha>", "<!DOCTYPE alpha>\n<alpha/>",
    '<!DOCTYPE alpha SYSTEM "alpha.dtd">\n<alpha/>', '<!DOCTYPE alpha [<!ENTITY beta "text">]>\n<alpha>&beta;</alpha>',
    '<!DOCTYPE alpha [<!ELEMENT alpha (#PCDATA)><!ATTLIST alpha id ID #IMPLIED>]>\n<alpha id="1"/>',
    '<alpha xmlns="http://example.org/"><beta/></alpha>',
    '<x:alpha xmlns:x="http://example.org/" x:beta="1"><x:gamma/></x:alpha>',
    '<alpha xml:lang="en" xml:space="preserve"> text </alpha>', '<alpha beta=""/>', '<alpha id="1"><beta ref="#1"/></alpha>',
    '<alpha type="beta" href="http://example.org/a?b=c&amp;d#e">text</alpha>', "<alpha><beta/><gamma/><delta/></alpha>",
    "<alpha>\n  <beta>1</beta>\n  <gamma>true</gamma>\n  <delta>2020-01-02T03:04:05Z</delta>\n</alpha>\n",
    "<alpha><beta>text</alpha>", "<alpha", "text", "", '<alpha beta="1" beta="2"/>', "<alpha/><beta/>", "<alpha>&beta;</alpha>",
    "<alpha beta=1/>", "<alpha>]]></alpha>", "\ufeff<alpha/>", "<alpha></alpha>text",
)
HTML = (
    "<p>text</p>", "text", "", "<p>one<p>two", "<br>", "<br/>", "<hr>", "<h1>text</h1><h2>text</h2>", "<b>one <i>two</i></b>",
    "<b>one<i>two</b></i>", "<p></p>", "<b> text </b>",
    "<!DOCTYPE html>\n<html><head><title>text</title></head><body><p>text</p></body></html>",
    "<html lang=en><meta charset=utf-8><title></title></html>", "<title></title>", '<a href="http://example.org/">text</a>',
    '<a href="">text</a>', "<a href>text</a>", "<a name=alpha></a>", "<a>text</a>", '<a href="#alpha" title="text"> </a>',
    "<a href='x'><img src='y'></a>", '<img src="alpha.png" alt="text" width=1 height=2>', "<img>", '<img alt="">', "<img src>",
    '<img src="data:image/png;base64,AAAA">', '<img srcset="a.png 1x, b.png 2x">', "<ul><li>one</li><li>two</li></ul>",
    "<ol start=3><li>one<li>two</ol>", "<ul><li>one<ul><li>two</li></ul></li></ul>", "<ol type=a><li value=2>x</ol>",
    "<ul></ul>", "<li>text</li>", "<dl><dt>one<dd>two</dl>", "<table><tr><th>one<td>two</table>",
    (
        "<table><caption>text</caption><thead><tr><th colspan=2>x</th></tr></thead><tbody><tr><td rowspan=2></td></tr></tbody><"
        "/table>"
    ),
    "<table></table>", "<tr><td>text", "<blockquote><p>one</p></blockquote>", "<pre>one\n  two</pre>",
    "<pre><code>one</code></pre>", "<code>`text`</code>", "<tt>x</tt>", "<kbd>x</kbd><samp>y</samp>",
    "<script>if (a < b) { c(); }</script>", '<script src="x.js"></script>', "<style>p { color: red }</style>",
    '<p style="color: red; font-weight: bold">text</p>', '<div class="a b" id="c">text</div>', "<!-- comment -->",
    "<!-- a -- b -->", "<![CDATA[text]]>", "<?php text ?>", "&amp;&lt;&nbsp;&eacute;&#65;&#x41;&alpha", "&unknown;",
    "&#0;&#xD800;&#x110000;", "&", "&#", "a < b", "<", "</p>", "<p",
    (
        '<form action="/x" method="post"><input name="a" value="1"><select name=b><option selected>c<optgroup label=d></select>'
        "<textarea name=e>f</textarea><button>g</button></form>"
    ),
    "<input disabled>", "<svg><path d='M0 0'/></svg>", "<math><mi>x</mi></math>", "<template><p>x</p></template>",
    "<noscript><p>x</p></noscript>", "<iframe src=x></iframe>", "<video controls><source src=x></video>", "<ruby>a<rt>b</ruby>",
    '<p title=\'a"b\'>x</p>', "<P CLASS=A>TEXT</P>", "<p class=>x", "<p =a>x", "<p/>x", "<a b='c",
    "<meta http-equiv='Content-Type' content='text/html; charset=latin-1'>", "<base href='/x/'><a href='y'>z</a>",
    "<del>x</del><ins>y</ins><s>z</s><u>w</u>", "<sup>1</sup><sub>2</sub><abbr title='x'>y</abbr><q>z</q>", "<em></em>",
    "<strong> </strong>", "<a href='x'></a>", "<span><div>x</div></span>", "<custom-alpha>x</custom-alpha>",
)
MARKDOWN = (
    "# text", "###### text ######", "#text", "text\n====", "text\n---", "one\n\ntwo", "one  \ntwo", "one\\\ntwo", "---",
    "* * *", "", "\n", " ", "*one*", "**one**", "***one***", "_one_ __two__", "*one **two***", "**", "a*b*c", "`text`",
    "`` a`b ``", "`", "```\ntext\n```", "```alpha\ntext\n```\n", "~~~\ntext", "    text", "\ttext\n", "> text", "> one\ntwo",
    "> > one\n>\n> two", ">", "> - one\n>   two", "> ```\n> text", "> # text", "- one\n- two", "* one\n\n* two",
    "+ one\n  two\n\n  three", "1. one\n2. two", "3) one\n", "- one\n  - two\n    - three", "- one\n\n      text", "-", "1.",
    "- [ ] one\n- [x] two", "- > one\n- ```\n  two\n  ```", "- one\n1. two", "[text](http://example.org)",
    '[text](<a b> "title")', "[text]()", "[text][alpha]\n\n[alpha]: http://example.org 'title'", "[alpha]\n\n[alpha]: <>",
    "[alpha]: x\n", "[text]", "[]()", "[a [b](c) d](e)", "![text](x.png)", "![](x)", "[![a](b)](c)", "<http://example.org>",
    "<a@example.org>", "http://example.org", "<b>text</b>", "<div>\n*text*\n</div>", "<!-- comment -->", "text <br/> text", "<",
    "&amp; &copy; &#35; &#x22;", "\\*text\\*", "\\", "text[^1]\n\n[^1]: note\n", "==text==", "~~text~~",
    "| a | b |\n|---|:-:|\n| 1 | 2 |\n", "a | b\n--|--\n1 | 2", "|a|\n|-|\n", "Term\n: definition\n", "*[HTML]: text\nHTML",
    "---\ntitle: text\n---\n\ntext", "$x$ $$y$$", "[TOC]\n\n# one\n## two\n", "# text {#alpha .beta}", "::: alpha\ntext\n:::",
    "one\n# two\nthree\n- four\n> five",
)
REST = (
    "text\n====\n", "====\ntext\n====\n", "one\n\ntwo\n", "*one* **two** ``three`` `four`", "* one\n* two\n",
    "1. one\n#. two\n", "term\n  definition\n", ":field: value\n", "-a  option\n", "| line\n| block\n", "text::\n\n  literal\n",
    ">>> 1\n1\n", "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n", "== ==\na  b\n== ==\n1  2\n== ==\n", "----\n",
    ".. comment\n", ".. note:: text\n", ".. image:: x.png\n   :alt: text\n", ".. code-block:: python\n\n   alpha = 1\n",
    ".. _alpha: http://example.org\n\nalpha_\n", "`text <http://example.org>`_", "text [1]_\n\n.. [1] note\n",
    ".. |alpha| replace:: text\n\n|alpha|\n", ":role:`text`", "__ x\n", ".. include:: x\n", ".. contents::\n\na\n=\n\nb\n-\n",
)
STYLE_SHEETS = (
    "alpha { color: red; }", "a, b > c ~ d + e f {}", "#alpha.beta[gamma='1']:hover::before { content: 'x' }",
    "@media (max-width: 1px) { a { b: c !important } }", "@import url(x.css);", "/* comment */", "a { margin: 0 1px -2em 3% }",
    "", "a { background: url('x.png') no-repeat #fff }", "a { color: rgba(1, 2, 3, .5); --b: var(--c, 1) }",
    "@font-face { src: local(x) }", "@keyframes a { from { b: c } 50% { d: e } }", "a { b: c", "a:not(.b) {}",
    "a { width: calc(1px + 2%) }", "a {;}",
)
# fmt: on
