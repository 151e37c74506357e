import pytest
from hypothesis import given
from hypothesis import strategies as st

from kqa_core.show.figures.nb06_spans import draw_roles, draw_stages, shares, still

LINE = "Owain Penlan. Penlan was a weaver born in Aberwyn."

cuts = st.integers(1, 40).flatmap(
    lambda length: st.integers(1, length).flatmap(
        lambda masked: st.integers(0, length - masked).map(lambda start: (length, start, masked))
    )
)


@pytest.mark.slow
@given(st.lists(cuts, min_size=1, max_size=8), st.integers(1, 12))
def test_shares_are_those_that_counting_gives(drawn, width):
    counted = [sum(s <= k and k + width <= s + m for _, s, m in drawn) / len(drawn) for k in range(40)]
    assert shares(drawn, 40, width) == counted


@pytest.mark.slow
@pytest.mark.parametrize("stage", [1, 2, 3, 4])
def test_each_stage_shows_its_lines_and_says_what_happened(stage):
    picture = still(draw_stages, (8, 2), document=LINE, cut=(45, 42, 3), block_size=64, stage=stage)
    sentence = repr(picture)
    assert sentence.startswith("The line is cut to its first 45 characters.")
    assert ("'Abe'" in sentence) is (stage >= 2)
    assert ("without its first" in sentence) is (stage == 4)
    drawn = [text.get_text() for text in picture.figure.axes[0].texts if len(text.get_text()) > 1]
    assert len(drawn) == stage + (stage == 4)


def test_the_row_in_the_picture_is_the_row():
    picture = still(draw_stages, (8, 2), document=LINE, cut=(45, 42, 3), block_size=64)
    cells = [
        (text.get_position(), text.get_text())
        for text in picture.figure.axes[0].texts
        if len(text.get_text()) == 1
    ]
    row = "".join(letter for (_, y), letter in sorted(cells) if y == -2)
    assert row == (LINE[:42] + "⁇⁇Abe").ljust(64, "□")
    x, y = ("".join(letter for (_, height), letter in sorted(cells) if height == line) for line in (-3, -4))
    assert (x, y) == (row[:-1], row[1:])


def test_the_picture_of_roles_says_what_is_cut_off_and_masked():
    picture = still(draw_roles, (6, 3), cuts=[(40, 10, 10)] * 2 + [(40, 11, 10), (20, 0, 5)], total=50)
    assert (
        repr(picture)
        == "In 4 rows, character 25 is cut off in 25 %, masked in 0 %. 10 characters are masked together in"
        " 50 % at best, from character 10 on, and in 0.0 % from character 37 on."
    )
    assert picture.png().startswith(b"\x89PNG")
    assert len(picture.figure.legends[0].get_texts()) == 4
