"""The diagrams of notebooks 00 to 04 state what is so:
shapes of real tensors, weights that sum to 1, columns of real heads.
"""

import re

import pytest
import torch
from portions import portion

from kqa_core.errors import UserError
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig
from kqa_core.show import show_attention_flow, show_bottleneck, show_head_split, show_transformer
from kqa_core.show.figures import nb03_flow, nb04_diagrams
from kqa_core.show.figures.nb00_bottleneck import FOCUS, SOURCE, WEIGHTS
from kqa_core.show.figures.nb03_flow import attention_flow, random_flow
from kqa_core.show.figures.nb04_diagrams import head_views
from kqa_core.show.kit import sketch
from kqa_core.show.kit.sketch import written

pytestmark = pytest.mark.slow


def texts(still):
    return [text.get_text() for text in still.figure.axes[0].texts]


def inside(still):
    """Whether every text lies within the picture."""
    still.figure.canvas.draw()
    page = still.figure.bbox
    boxes = [text.get_window_extent() for text in still.figure.axes[0].texts]
    return all(
        page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1 for box in boxes
    )


def test_the_bottleneck_shows_every_word_twice_and_weights_that_sum_to_1():
    still = show_bottleneck()
    assert [word for word in texts(still) if word in SOURCE] == [*SOURCE, *SOURCE]
    assert (
        sum(WEIGHTS) == pytest.approx(1)
        and max(WEIGHTS) == WEIGHTS[FOCUS]
        and f"weight {max(WEIGHTS)}" in texts(still)
    )
    assert "bottleneck" in still.sentence and "“animal”" in still.sentence and inside(still)


def test_a_diagram_has_twice_the_dots_and_is_shown_at_its_size():
    data, metadata = show_bottleneck()._repr_mimebundle_()
    # of the PNG's header
    width, height = (int.from_bytes(data["image/png"][start : start + 4], "big") for start in (16, 20))
    assert (width, height) == (2 * metadata["image/png"]["width"], 890) and metadata["image/png"][
        "alt"
    ] == data["text/plain"]


def test_the_flow_is_one_head_of_attention():
    flow = random_flow(3, 4, 2)
    for name in "QKV":
        assert torch.allclose(flow[name], flow["X"] @ flow[f"W_{name}"])
    expected = torch.nn.functional.scaled_dot_product_attention(flow["Q"], flow["K"], flow["V"], scale=1.0)
    assert torch.allclose(flow["C"], expected) and torch.allclose(
        flow["A"].sum(-1), torch.ones(3, dtype=torch.float64)
    )


def test_sentences_flow_side_by_side():
    generator = torch.Generator().manual_seed(0)
    X, matrices = torch.randn(5, 3, 4, generator=generator), torch.randn(3, 4, 4, generator=generator)
    together = attention_flow(X, *matrices)
    for n, sentence in enumerate(X):
        assert torch.allclose(together["C"][n], attention_flow(sentence, *matrices)["C"], atol=1e-5)


SIZES = [(3, 4, 2), (1, 1, 1), (6, 6, 6), (2, 6, 1), (5, 2, 3)]


@pytest.mark.parametrize("sizes", portion(SIZES, 2, nb03_flow.__file__, sketch.__file__))
def test_the_shapes_on_the_arrows_are_those_of_the_tensors_and_the_cells_hold_their_numbers(sizes):
    flow, still = random_flow(*sizes), show_attention_flow(*sizes)
    said = texts(still)
    shapes = {name: f"({', '.join(map(str, table.shape))})" for name, table in flow.items()}
    for name in "XQKVSAC":
        assert shapes[name] in said
        digits = 2 if name == "A" else 1
        assert {written(number, digits) for number in flow[name].flatten().tolist()} <= {*said}
    for name in "QKV":
        assert f"$\\times W_{name}$\n{shapes['W_' + name]}" in said
    assert len([text for text in said if re.fullmatch(r"−?\d+\.\d+", text)]) == sum(
        flow[name].numel() for name in "XQKVSAC"
    )
    assert inside(still)


@pytest.mark.parametrize("sizes", [{"tokens": 0}, {"width": 7}, {"head_width": 2.5}])
def test_a_size_that_cannot_be_drawn_is_named(sizes):
    with pytest.raises(UserError, match=f"^{next(iter(sizes))} = "):
        show_attention_flow(**sizes)


@pytest.mark.parametrize("layers", portion([1, 2, 3, 4], 2, nb04_diagrams.__file__, sketch.__file__))
def test_the_transformer_has_the_parts_of_the_model_in_their_order(layers):
    still = show_transformer(layers)
    said = texts(still)
    assert [text for text in said if text.startswith("block")] == [
        f"block {number}" for number in range(layers)
    ]
    parts = {
        "norm_1": "Layer\nNorm",
        "attention": "masked self-\nattention",
        "norm_2": "Layer\nNorm",
        "mlp": "MLP",
    }
    assert list(parts) == [
        name
        for name, _ in Block(
            GPTConfig(vocab_size=4, block_size=4, n_layer=1, n_head=1, d_model=4)
        ).named_children()
    ]
    drawn = [text for text in said if text in parts.values()]
    assert drawn == layers * list(parts.values()) + ["Layer\nNorm"]  # and the last one, before the head
    assert said.count("+") == 1 + 2 * layers and f"{layers} blocks" in still.sentence and inside(still)


@pytest.mark.parametrize("layers", [0, 5, 2.5, "two"])
def test_a_number_of_layers_that_cannot_be_drawn_is_named(layers):
    with pytest.raises(UserError, match=r"^layers = "):
        show_transformer(layers)


HEADS = [(4, 6, 2), (1, 1, 1), (6, 12, 4), (3, 4, 4)]


@pytest.mark.parametrize(
    ("tokens", "width", "heads"), portion(HEADS, 2, nb04_diagrams.__file__, sketch.__file__)
)
def test_the_heads_hold_what_view_and_transpose_give(tokens, width, heads):
    joined = torch.arange(tokens * width).view(tokens, width)
    split = joined.view(tokens, heads, width // heads).transpose(0, 1)
    assert torch.equal(torch.tensor(head_views(tokens, width, heads)["split"].copy()), split)
    still = show_head_split(tokens, width, heads)
    numbers = [int(text) for text in texts(still) if text.isdigit()]
    assert numbers == [*joined.flatten().tolist(), *split.flatten().tolist()]
    assert f"head 0: ({tokens}, {width // heads})" in texts(still) and inside(still)


@pytest.mark.parametrize(
    ("tokens", "width", "heads"), [(4, 6, 4), (7, 6, 2), (4, 14, 2), (4, 6, 0), (0, 6, 2)]
)
def test_heads_that_do_not_divide_the_width_are_named(tokens, width, heads):
    with pytest.raises(UserError, match=rf"^tokens = {tokens}, width = {width}, heads = {heads}: "):
        show_head_split(tokens, width, heads)
