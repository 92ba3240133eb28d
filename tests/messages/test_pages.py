"""Text that does nothing on a page: no tag, no link, no formula, whatever signs it is made of."""

import random
import re
import time
from html.parser import HTMLParser

import pytest

from autograder.messages import as_html, as_markdown, inert

SIGNS = [
    *("`", "``", "$", "$$", "\\", "\\href{https://e.v}{x}", "\\begin{a}", "\\(", "\\color", "\\Huge", "{", "}", "!"),
    *("https://e.v/a", "HTTP://e.v", "www.e.v", "ftp://e.v", "<b>", "</b>", "<a href=x>", "<!--", "//", ":"),
    *("&#36;", "&#92;", "&#x5c;", "&bsol;", "&dollar;", "&lt;", "&", "[x](", "javascript:x)", "[y]:", "[y]", "![i]("),
    *("*", "**", "_", "__", "~~", "#", "-", "|", ">", "1.", " ", " ", "  ", "a", "href", "(", ")", "\u200b", "\n"),
]
MATHS = re.compile(r"[$\\]")
COMMAND = re.compile(r"\\[a-zA-Z]")
LINKS = {"a", "img", "b", "script"}


class Page(HTMLParser):
    """What is on a page: its tags, its text, and the texts outside code, where formulas are looked for."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.plain, self._inside = set(), "", [""], 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if dict(attrs).get("class") != "anchor-link":  # of a heading, to itself
            self.tags.add(tag)
        self._inside += tag in ("code", "pre")
        self.plain.append("")

    def handle_endtag(self, tag):
        self._inside -= tag in ("code", "pre")
        self.plain.append("")

    def handle_data(self, data):
        self.text += data
        if not self._inside:
            self.plain[-1] += data


def shown(markdown):
    """As nbgrader's pages show Markdown."""
    filters = pytest.importorskip("nbconvert.filters.markdown")
    return Page(filters.markdown2html(markdown))


def texts(number):
    dice = random.Random(number)
    return ["".join(dice.choices(SIGNS, k=dice.randint(1, 12))) for _ in range(700)]


@pytest.mark.parametrize("number", range(2))
def test_html_shows_a_text_and_does_nothing(number):
    for text in texts(number):
        page = Page(as_html(text))
        assert page.text == text
        assert page.tags <= {"code"}, text
        assert not [part for part in page.plain if MATHS.search(part)], text


@pytest.mark.parametrize("number", range(2))
def test_markdown_of_a_line_makes_paragraphs_and_code_and_nothing_else(number):
    for text in texts(number):
        line = " ".join(text.split())
        page = shown(as_markdown(line))
        assert page.tags <= {"p", "code"}, line
        assert not [part for part in page.plain if MATHS.search(part)], line


@pytest.mark.parametrize("number", range(2))
def test_inert_markdown_makes_neither_links_nor_commands(number):
    for text in texts(number):
        page = shown(inert(text))
        assert not page.tags & LINKS, text
        assert not [part for part in page.plain if COMMAND.search(part)], text


@pytest.mark.parametrize(
    "active",
    [
        "<b>",
        "</b>",
        "<!--",
        "[x](javascript:x)",
        "[x][y]",
        "[y]: javascript:x",
        r"$\href{x}{y}$",
        "&#92;href",
        "&lt;b>",
    ],
)
def test_markdown_that_acts_is_made_inert_and_looks_the_same(active):
    made = inert(active)
    assert made != active
    assert made.replace("\u200b", "") == active


HEADINGS = [
    *["check-f"] * 8,
    *("# ", "#", "##", "===", "---", "-", "> ", "- ", "1. ", "\n", "\n", "\n", "\r", "\r\n", "\n\n", " ", "\t", "   "),
    *("\x0b", "\x0c", "\x85", "\u2028", "\xa0", "`", "```", "~~~", "*", "_", "\\", "|", "[", "]", "<!", "<p>"),
]


def ids_in(html):
    return re.findall(r'id="([^"]*)"', html)


def test_no_heading_takes_the_id_of_a_part_of_the_page():
    markdown2html = pytest.importorskip("nbconvert.filters.markdown").markdown2html
    dice = random.Random(3)
    made = ["".join(dice.choices(HEADINGS, k=dice.randint(2, 9))) for _ in range(12_000)]
    assert len([text for text in made if "check-f" in ids_in(markdown2html(text))]) > 50
    assert not [text for text in made if "check-f" in ids_in(markdown2html(inert(text)))]


@pytest.mark.parametrize("heading", ["# a", "#a", "> ## a", "1. # a", "a\n===", "> a\n> ---", "```a```\n=", "a\r\n- "])
def test_a_heading_stays_one(heading):
    assert inert(heading).replace("\u200b", "") == heading
    assert shown(heading).tags == shown(inert(heading)).tags
    assert shown(heading).tags & {"h1", "h2"}


@pytest.mark.parametrize(
    "unmarked", ["a\n\n---\n\nb", "```\na\n```\n---", "a | b\n--|--\n1 | 2", "issue#5", "Q @ K", "@x"]
)
def test_lines_and_tables_and_fences_are_left_alone(unmarked):
    assert inert(unmarked) == unmarked


@pytest.mark.parametrize("address", ["ann@evil.example", "a.b+c-@evil.example", "日@e.v", "<ann@evil.example>"])
def test_an_address_of_mail_is_no_link_and_looks_the_same(address):
    assert "@\u200b" in inert(address)
    assert inert(address).replace("\u200b", "") == address


@pytest.mark.parametrize(
    "many", ["a", "-", "#", "a\n", " ", "> ", "\n-", "@", "# ", "\r", ">\n", "- `", "`", "=\n=", "a@"]
)
def test_long_texts_are_made_inert_in_a_moment(many):
    start = time.process_time()
    inert(many * (40_000 // len(many)) + "b")
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("address", ["https://a.example/a?b=c#d", "http://a.example", "ftp://a.b", "www.a.example"])
def test_an_address_is_no_link_and_can_be_copied(address):
    assert "a" not in shown(inert(f"see {address} for more")).tags
    assert address in shown(inert(f"see {address} for more")).text
    assert as_markdown(f"see {address} for more") == f"see `{address}` for more"


@pytest.mark.parametrize("harmless", ["a < b", "x[0] > 1", "`causal_mask`", "1 <= 2", "二つ", "[0, 2] 3", "2 * 3"])
def test_text_that_does_nothing_is_left_alone(harmless):
    assert inert(harmless) == as_markdown(harmless) == harmless


@pytest.mark.parametrize(
    ("line", "markdown"),
    [
        ("`f` raises E: costs $5", "`f` raises E: costs `$5`"),
        ("the cell `a $x$ b` is odd", "the cell `a $x$ b` is odd"),
        ("`a`$x$", "`` `a`$x$ ``"),
        ("one ` alone", "one `` ` `` alone"),
        ("# 20 of 20", "`#` 20 of 20"),
        ("__init__ of masked_softmax", "`__init__` of masked_softmax"),
    ],
)
def test_only_the_words_that_act_become_code(line, markdown):
    assert as_markdown(line) == markdown
