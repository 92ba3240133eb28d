"""A matplotlib figure as part of the page that shows it: real text in any script, in the page's own colours.

The browser writes the labels, so no font is shipped and none is missing. Whatever is black follows the colour of the
page's text, so that one picture reads well on a light page and on a dark one.
"""

from __future__ import annotations

import hashlib
import io
import re
import unicodedata
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.figure import Figure
from matplotlib.legend import Legend

# Drawing order of the default colours -> colours that differ for colour-blind readers too and have a contrast of 3 on
# white and on JupyterLab's black.
_COLOURS = {
    "#1f77b4": "#2084c8",  # blue
    "#ff7f0e": "#d55e00",  # vermilion
    "#2ca02c": "#009e73",  # bluish green
    "#d62728": "#cc79a7",  # reddish purple
    "#9467bd": "#9a6a00",  # ochre
    "#8c564b": "#808080",  # grey
    "#000000": "currentColor",
    "#b0b0b0": "currentColor",  # a grid
    "#cccccc": "currentColor",  # the frame of a legend
}
_FAINT = {"#b0b0b0": "0.25", "#cccccc": "0.25"}
_FONT = "system-ui, sans-serif"
_SIZE = re.compile(r"(.*?[\d.]+px) .*")
_REFERENCE = re.compile(r"#([\w-]+)")
_KANA = re.compile("[\u3040-\u30ff]")


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """What a notebook shows; where no picture can be shown, `str()` of it is what the picture says, in words."""

    svg: str
    alt: str

    def _repr_html_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return self.alt


def picture(figure: Figure, alt: str) -> Picture:
    """A figure as it stands, with a text that says what is to be seen. The figure is closed.

    Labels may be of any script; formulas are best written as plain text (√d, n²), which the browser sets like the rest.
    """
    root = ET.fromstring(_drawn(figure))  # noqa: S314 - matplotlib wrote it
    plt.close(figure)
    _simplify(root)
    width = float(root.attrib["viewBox"].split()[2]) * 4 / 3  # points -> pixels
    language = {"lang": "ja"} if _KANA.search(alt) else {}  # Chinese and Japanese share characters, not their shapes
    style = f"width: {width:.0f}px; max-width: 100%; height: auto; stroke-linejoin: round"
    box = root.attrib["viewBox"]
    root.attrib = {"viewBox": box, "role": "img", "aria-label": alt, **language, "fill": "currentColor", "style": style}
    _rename(root, hashlib.sha256(ET.tostring(root)).hexdigest()[:12])
    return Picture(ET.tostring(root, encoding="unicode"), alt)


# ---------------------------------------------------------------------------------------------------------- drawing


class _Renderer(RendererSVG):
    """Measures text whose characters matplotlib's font may not have."""

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        measured = "".join(map(_as_wide, s))
        return super().get_text_width_height_descent(measured, prop, ismath)  # type: ignore[no-untyped-call]


def _as_wide(character: str) -> str:
    """A character that is there and as wide: Japanese ones take the square that a long dash takes."""
    return "—" if unicodedata.east_asian_width(character) in "WF" else character


class _Canvas(FigureCanvasSVG):
    def print_svg(self, filename: Any, *, bbox_inches_restore: Any = None, metadata: Any = None, **_: Any) -> None:
        """As the class above, with the renderer that can measure. The other options are already in the figure."""
        figure, dpi = self.figure, self.figure.dpi
        figure.dpi = 72
        width, height = figure.get_size_inches()
        writer = io.TextIOWrapper(filename, "utf-8", write_through=True)
        vectors: Any = _Renderer  # matplotlib's renderers are not typed
        mixed: Any = MixedModeRenderer
        inner = vectors(width * 72, height * 72, writer, image_dpi=dpi, metadata=metadata)
        renderer = mixed(figure, width, height, dpi, inner, bbox_inches_restore=bbox_inches_restore)
        figure.draw(renderer)
        renderer.finalize()
        writer.detach()


def _drawn(figure: Figure) -> bytes:
    """The figure as an SVG document, without a ground of its own."""
    if figure.get_layout_engine() is None:
        figure.set_layout_engine("tight")
    for legend in figure.findobj(Legend):
        legend.get_frame().set_facecolor("none")
    _Canvas(figure)
    stream = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "attn"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(stream, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None})
    return stream.getvalue()


# ------------------------------------------------------------------------------------------------------ simplifying


def _simplify(root: ET.Element) -> None:
    """Leaves what draws: no namespaces, which HTML has no use for, and no style sheet, which would rule the page."""
    for parent in root.iter():
        for child in [child for child in parent if child.tag.endswith(("metadata", "style"))]:
            parent.remove(child)
    for element in root.iter():
        element.tag = _plain(element.tag)
        element.tail = None
        if element.tag not in ("text", "tspan"):
            element.text = None
        attributes = {_plain(name): value for name, value in element.attrib.items()}
        if "style" in attributes:
            attributes["style"] = _style(attributes["style"])
        element.attrib = attributes


def _plain(name: str) -> str:
    return name.rsplit("}", 1)[-1]


def _style(style: str) -> str:
    """A style with our colours, and the page's font."""
    declared = dict(part.strip().split(": ", 1) for part in style.split(";") if ": " in part)
    return "; ".join(f"{name}: {value}" for pair in declared.items() for name, value in _declared(*pair, declared))


def _declared(name: str, value: str, all_: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if name == "font-family":
        value = _FONT
    elif name == "font":
        value = _SIZE.sub(rf"\1 {_FONT}", value)
    yield name, _COLOURS.get(value, value)
    if value in _FAINT and f"{name}-opacity" not in all_:
        yield f"{name}-opacity", _FAINT[value]


def _rename(root: ET.Element, mark: str) -> None:
    """Keeps the names that something refers to, made unlike those of every other picture on the page."""
    referred = {
        name
        for element in root.iter()
        for attribute, value in element.attrib.items()
        if attribute == "href" or value.startswith("url(")
        for name in _REFERENCE.findall(value)
    }
    for element in root.iter():
        name = element.attrib.pop("id", None)
        for attribute, value in element.attrib.items():
            if attribute == "href" and value.startswith("#"):
                element.set(attribute, f"#{mark}-{value[1:]}")
            elif value.startswith("url(#"):
                element.set(attribute, f"url(#{mark}-{value[5:]}")
        if name in referred:
            element.set("id", f"{mark}-{name}")
