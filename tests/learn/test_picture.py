"""Curves as learners see them: real text in any script, in the page's own colours, on dark and light pages."""

import re
import subprocess
import sys
import warnings
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from matplotlib import pyplot as plt

from autograder.learn.picture import picture

ALT = "損失の曲線"


def curve(label="損失・ナット", name="因果マスクあり", slope=1.0):
    """A figure with all that a lesson draws: curve, grid, legend, labels, a clipped line, a line in black."""
    figure, axes = plt.subplots()
    axes.plot([0, 1, 2], [0, slope, 4 * slope], label=name)
    axes.plot([0, 1, 2], [2, 1, 0])
    axes.axhline(1, color="k", linestyle=":")
    axes.set_xlabel("step")
    axes.set_ylabel(label)
    axes.grid(visible=True)
    axes.legend()
    return figure


def shown(*args, **names):
    return picture(curve(*args, **names), ALT)._repr_html_()


def ids(page):
    return set(re.findall(r' id="([^"]+)"', page))


def test_labels_of_any_script_are_text_in_the_readers_own_font():
    page = shown("損失 <ナット>")
    texts = ["".join(text.itertext()) for text in ET.fromstring(page).iter("text")]
    assert {"損失 <ナット>", "因果マスクあり", "step"} <= set(texts)
    assert "DejaVu" not in page
    assert re.search(r"font(-family)?: [^;\"]*sans-serif", page)


@pytest.mark.parametrize("engine", [None, "constrained", "tight"])
def test_characters_that_matplotlib_has_no_glyph_for_warn_nobody(engine, capfd):
    figure = curve("猫が寝る 🐈")
    figure.set_layout_engine(engine)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture(figure, ALT)
    assert capfd.readouterr().err == ""


def test_a_japanese_label_gets_the_room_that_it_takes():
    def legend_of(name):
        figure, axes = plt.subplots()
        axes.plot([0, 1], label=name)
        axes.legend()
        frame = re.search(r'd="([^"]*)" style="fill: none; [^"]*stroke-opacity', picture(figure, ALT)._repr_html_())
        along = [float(x) for x, _ in re.findall(r"([\d.]+) ([\d.]+)", frame[1])]
        return max(along) - min(along)

    assert legend_of("因果マスクあり") - legend_of("因果マスク") == pytest.approx(20, abs=0.5)  # two squares of 10


def test_it_stands_on_any_ground_and_what_is_black_follows_the_text():
    page = shown()
    assert "currentColor" in page
    assert not re.search(r"#(000000|ffffff|b0b0b0|cccccc)\b", page)


def test_curves_are_seen_on_white_and_on_black():
    figure, axes = plt.subplots()
    for height in range(6):
        axes.plot([0, 1], [height, height])
    colours = set(re.findall(r"stroke: (#\w{6})", picture(figure, ALT)._repr_html_()))
    assert len(colours) == 6
    for colour in colours:
        assert min(contrast(colour, "#ffffff"), contrast(colour, "#111111")) >= 3, colour


def contrast(one, other):
    """WCAG's contrast of two colours."""
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour):
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_it_says_in_words_what_is_to_be_seen():
    root = ET.fromstring(picture(curve(), 'curves "A" & <B>')._repr_html_())
    assert (root.get("role"), root.get("aria-label")) == ("img", 'curves "A" & <B>')
    assert str(picture(curve(), ALT)) == ALT


def test_it_is_no_wider_than_its_page():
    root = ET.fromstring(shown())
    assert "max-width: 100%; height: auto" in root.get("style")
    assert {"width", "height"}.isdisjoint(root.attrib)


def test_it_rules_nothing_else_on_the_page():
    assert "<style" not in shown()


def test_two_pictures_on_a_page_share_no_names():
    one, other = shown(slope=1.0), shown(slope=2.0)
    assert ids(one)
    assert ids(one).isdisjoint(ids(other))


def test_every_name_that_is_referred_to_is_there():
    page = shown()
    assert set(re.findall(r'(?:url\(|href=")#([^")]+)', page)) == ids(page)


def test_the_same_figure_is_the_same_bytes_in_every_process():
    code = (
        "from matplotlib import pyplot as plt; from autograder.learn.picture import picture\n"
        "figure, axes = plt.subplots(); axes.plot([0, 1], [1, 3]); axes.imshow([[1, 2], [3, 4]])\n"
        "print(picture(figure, 'x')._repr_html_())"
    )
    said = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in range(2)]
    assert said[0] == said[1]
    assert b"image" in said[0]


def test_a_figure_is_shown_once():
    figure = curve()
    assert plt.fignum_exists(figure.number)
    picture(figure, ALT)
    assert not plt.fignum_exists(figure.number)


def test_a_legend_does_not_cover_what_lies_behind_it():
    root = ET.fromstring(shown())
    frames = [path.get("style") for path in root.iter("path") if "stroke-opacity" in path.get("style", "")]
    assert frames
    assert all("fill: none" in frame for frame in frames)
