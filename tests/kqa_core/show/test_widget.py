"""What every widget of ours keeps to: a small plain module, a still, a page that needs nobody."""

import base64
import io
import json
import re

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text
from PIL import Image

from kqa_core.errors import UserError
from kqa_core.show import show_attention_flow, show_bottleneck, show_transformer, weight_map
from kqa_core.show.explorer.explorer import MODULE, explore
from kqa_core.show.figures.nb01_plane import query_plane
from kqa_core.show.figures.nb01_tetrahedron import key_tetrahedron
from kqa_core.show.figures.nb03_playground import playground
from kqa_core.show.figures.nb06_spans import draw_stages
from kqa_core.show.figures.nb06_stepper import span_stepper
from kqa_core.show.figures.nb08_certainty import draw_threshold
from kqa_core.show.figures.nb08_retrieved import Answered, retrieved_or_made_up
from kqa_core.show.kit.live_figure import live_figure
from kqa_core.show.kit.palette import GREY, new_figure, open_axes, png_of
from kqa_core.show.kit.theme import DARK, LIGHT
from kqa_core.show.kit.widget import KIT, module

pytestmark = pytest.mark.slow

LINE = "Owain Penlan. Penlan was a weaver born in Aberwyn."
ANSWERS = {
    "told of": [Answered(0.95, True, "Ada: “Tal”."), Answered(0.3, False, "Bo: “Rom”.")],
    "strangers": [Answered(0.6, False, "Cy: “</script>”.")],
}
MADE = {
    "explorer": lambda: explore(np.full((2, 2, 3, 3), 1 / 3), "abc"),
    "plane": lambda: query_plane([(1, 0), (0, 1), (-1, -0.5)], values=[(0, 0), (1, 0), (0.5, 1)]),
    "solid": lambda: key_tetrahedron([(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, -1, -1)]),
    "playground": playground,
    "stepper": lambda: span_stepper(LINE, [(45, 42, 3), (20, 0, 5)], 64, stage=4),
    "retrieved": lambda: retrieved_or_made_up(ANSWERS, 0.5),
}
PICTURES = {
    **{name: lambda make=make: make()._draw() for name, make in MADE.items()},
    "bottleneck": lambda: show_bottleneck().figure,
    "transformer": lambda: show_transformer().figure,
    "flow": lambda: show_attention_flow().figure,
    "weights": lambda: weight_map(np.eye(2)).figure,
}

STATE = {  # what the module reads
    "explorer": {"tokens", "panes", "at", "pair", "stage"},
    "plane": {"query", "given"},
    "solid": {"turn", "beta", "given"},
    "playground": {"K", "Q", "beta", "given"},
    "stepper": {"document", "cuts", "block_size", "stage", "epoch"},
    "retrieved": {"groups", "threshold", "chosen"},
}


@pytest.mark.parametrize("name", MADE)
def test_a_module_is_small_plain_and_asks_nobody(name):
    text = MADE[name]()._esm
    assert len(text.encode()) < 30_000
    assert "http" not in text and "import" not in re.sub(r"//.*", "", text) and "</script" not in text
    assert text.count("function render(") == 1 and text.rstrip().endswith("export default widget;")


@pytest.mark.parametrize("name", MADE)
def test_where_no_kernel_runs_there_is_a_still_and_a_sentence(name):
    made = MADE[name]()
    data, metadata = made._repr_mimebundle_()
    png = base64.b64decode(data["image/png"])
    assert png.startswith(b"\x89PNG")
    assert data["text/plain"] == metadata["image/png"]["alt"] == made.sentence
    assert "application/vnd.jupyter.widget-view+json" in data
    assert png == MADE[name]().png  # the same for the same


@pytest.mark.parametrize("name", MADE)
def test_a_page_holds_the_state_and_nothing_of_the_notebook(name, tmp_path):
    made = MADE[name]()
    text = made.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == text
    assert "http://" not in text and "https://" not in text and text.count("</script>") == 2
    state = json.loads(re.search(r'id="state">(.*?)</script>', text)[1])
    assert set(state) == STATE[name]
    assert f"<title>{made.title}</title>" in text and made.title
    with pytest.raises(UserError, match="cannot be written"):
        made.to_html(tmp_path / "nowhere" / "page.html")


def test_the_stepper_says_what_the_figure_says():
    stepper = span_stepper(LINE, [(45, 42, 3), (20, 0, 5)], 64)
    for stage in (1, 2, 3, 4):
        for epoch, cut in ((1, (45, 42, 3)), (2, (20, 0, 5))):
            stepper.stage, stepper.epoch = stage, epoch
            assert stepper.sentence == draw_stages(new_figure(), LINE, cut, 64, stage)


@pytest.mark.parametrize(
    ("cuts", "block", "chosen"),
    [
        ([(51, 0, 5)], 64, {}),
        ([(45, 44, 3)], 64, {}),
        ([(45, -1, 3)], 64, {}),
        ([(45, 42, 3)], 46, {}),
        ([(45, 42, 3)], 64, {"epoch": 2}),
        ([(45, 42, 3)], 64, {"stage": 5}),
        ([], 64, {}),
    ],
)
def test_a_cut_that_does_not_fit_is_named(cuts, block, chosen):
    with pytest.raises(UserError, match=r"^(cut 1, |stage )"):
        span_stepper(LINE, cuts, block, **chosen)


def test_the_threshold_says_what_becomes_of_whom_and_who_is_chosen():
    widget = retrieved_or_made_up(ANSWERS, 0.5)
    kinds = {
        name: ([a.confidence for a in answers], [a.right for a in answers])
        for name, answers in ANSWERS.items()
    }
    assert widget.sentence == draw_threshold(new_figure(), 0.5, kinds)
    assert (
        "told of: 1 right, 0 wrong, 1 withheld; strangers: 0 right, 1 wrong, 0 withheld." in widget.sentence
    )
    widget.chosen = [0, 1]
    assert widget.sentence.endswith("Bo: “Rom”. 0.30 sure, wrong, withheld.")


@pytest.mark.parametrize(
    ("kinds", "threshold", "said"),
    [
        ({}, 0.5, "at least one kind"),
        ({"a": []}, 0.5, "'a' has no answers"),
        ({"a": [Answered(1.5, True, "x")]}, 0.5, "has a confidence of 1.5"),
        ({"a": [Answered(0.5, True, "x")]}, 1.5, "threshold 1.5"),
        ({"a": [Answered(float("nan"), True, "x")]}, 0.5, "has a confidence of nan"),
    ],
)
def test_answers_that_cannot_be_shown_are_named(kinds, threshold, said):
    with pytest.raises(UserError, match=re.escape(said)):
        retrieved_or_made_up(kinds, threshold)


def line(figure, beta, n, kind):
    figure.text(0.5, 0.5, kind)
    return f"{kind}: {beta:g}, {n}"


def book(**export):
    widget = live_figure(line, width=2, height=1, beta=(0.0, 4.0, 0.5, 1.5), n=(1, 3, 1), kind=["a", "b"])
    return widget, json.loads(re.search(r'id="state">(.*?)</script>', widget.to_html(**export))[1])


@pytest.mark.parametrize("leaves", [1, 5, 12, 30, 1000])
def test_a_figure_with_sliders_is_bound_into_a_book_of_its_settings(leaves):
    widget, state = book(leaves=leaves)
    counts = [len(control["settings"]) for control in state["controls"]]
    assert [control["name"] for control in state["controls"]] == ["β", "n", "kind"]
    assert len(state["frames"]) == np.prod(counts) <= leaves
    for at in np.ndindex(*counts):  # the last control runs fastest
        beta, n, kind = (control["settings"][i] for control, i in zip(state["controls"], at, strict=True))
        assert state["frames"][int(np.ravel_multi_index(at, counts))][1] == f"{kind}: {beta}, {n}"
    shown = [control["settings"][i] for control, i in zip(state["controls"], state["at"], strict=True)]
    assert shown == ["1.5", "1", "a"]  # as it stands in the notebook
    assert widget.sentence == "a: 1.5, 1"
    if leaves == 1000:
        assert counts == [9, 3, 2] and state["controls"][0]["settings"][-1] == "4"


def test_a_book_without_leaves_is_refused():
    with pytest.raises(UserError, match="0 leaves"):
        book(leaves=0)


def test_the_book_has_the_small_module_too():
    assert len(module(KIT / "flipbook.js").encode()) < 30_000 and "http" not in module(KIT / "flipbook.js")


def test_the_colour_of_a_weight_is_that_of_the_figures():
    digits = "".join(re.findall(r'"([0-9a-f]{80,})"', MODULE))
    # place, red, green, blue
    stops = np.array([int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)]).reshape(-1, 4)
    drawn = np.stack([np.interp(np.arange(256), stops[:, 0], stops[:, c]) for c in (1, 2, 3)], axis=1)
    exact = 255 * matplotlib.colormaps["cividis"](np.arange(256))[:, :3]
    assert np.abs(drawn - exact).max() <= 1


def luminance(colour):
    """Relative luminance of "#rrggbb" (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def contrast(one, two):
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_focus_stand_out_from_their_ground(look):
    for text in ("ink", "quiet"):
        for ground in ("paper", "soft"):
            assert contrast(look[text], look[ground]) >= 4.5, (text, ground)
    assert contrast(look["focus"], look["paper"]) >= 3
    for ground in ("mark", "cell"):  # letters of a text stand on these
        assert contrast(look["ink"], look[ground]) >= 4.5, ground


def opacity(figure, density=1):
    """How opaque each pixel of the figure is, from 0 to 255, from its top row (height, width)."""
    return np.asarray(Image.open(io.BytesIO(png_of(figure, density))).convert("RGBA"))[..., 3]


@pytest.mark.parametrize("density", [1, 2])
def test_a_picture_shows_the_page_behind_it(density):
    figure = new_figure(3, 2)
    open_axes(figure).set(xlim=(0, 1), ylim=(0, 1))
    shown = opacity(figure, density)
    assert shown[0, 0] == 0 and shown[len(shown) // 2, shown.shape[1] // 4] == 0, (
        "outside and inside the axes"
    )
    assert shown.max() >= 250


PAGES = LIGHT["paper"], "#111111"  # of JupyterLab's themes


def test_grey_can_be_read_on_both_pages():
    assert contrast(GREY, PAGES[0]) >= 4.5 and contrast(GREY, PAGES[1]) >= 4.1


@pytest.mark.parametrize("name", PICTURES)
def test_a_text_stands_on_a_fill_or_can_be_read_on_both_pages(name):
    figure = PICTURES[name]()
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # all stays where it is without its texts
    texts = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
    assert texts
    places = [text.get_window_extent() for text in texts]
    for text in texts:
        text.set_text("")  # what is behind it
    shown = opacity(figure)
    for text, place in zip(texts, places, strict=True):
        colour = to_hex(text.get_color())
        if text.get_bbox_patch() is None and min(contrast(colour, page) for page in PAGES) < 3:
            x, y = (place.x0 + place.x1) / 2, (place.y0 + place.y1) / 2
            assert shown[len(shown) - 1 - int(y), int(x)] == 255, (colour, place)
