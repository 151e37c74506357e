"""The model: its size, its start, its loss, decoding that remembers against decoding that does not, and that
it is written to be read.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import math
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

import kqa_core.model
from kqa_core.errors import UserError
from kqa_core.evaluation.evaluate import Evaluation, evaluate, score
from kqa_core.evaluation.generate import LONGEST_ANSWER, answer_one_by_one, answer_questions
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.kv_cache import KVCache
from kqa_core.model.variant_registry import find_variant, variant_names
from kqa_core.stats import Proportion
from kqa_core.text.birthplaces import Pair
from kqa_core.text.vocabulary import Vocabulary

LETTERS = Vocabulary.from_text("abcdefghijklmnopqrstuvwxyz ?W\n")


def small(variant: str = "vanilla", closing: float = 0.5, **changes: object) -> GPT:
    """A random model with decided answers; the larger `closing`, the sooner it writes ⁇."""
    torch.manual_seed(0)
    config = GPTConfig(vocab_size=len(LETTERS), n_layer=2, n_head=2, d_model=16, variant=variant)
    model = GPT(dataclasses.replace(config, **changes))  # type: ignore[arg-type]
    for name, parameter in model.named_parameters():
        if "norm" not in name:
            torch.nn.init.normal_(parameter, std=0.5)
    with torch.no_grad():
        model.norm.bias.copy_(closing * model.head.weight[LETTERS.mask_index])
    return model.eval()


@pytest.mark.slow
def test_the_assignments_model_has_its_3_32_million_parameters() -> None:
    V, T, C = 256, 128, 256
    # two norms, four projections, the MLP
    block = 2 * 2 * C + 4 * (C * C + C) + (C * 4 * C + 4 * C) + (4 * C * C + C)
    expected = V * C + T * C + 4 * block + 2 * C + C * V  # embeddings, blocks, last norm, head
    assert expected == 3_323_392
    assert GPT(GPTConfig(vocab_size=V)).count_parameters() == expected
    assert GPT(GPTConfig(vocab_size=V, variant="rope")).count_parameters() == expected - T * C
    # per layer: one projection fewer, one table and its offsets more
    synthesizer = 4 * (C * C + C - (C // 8) * T - T)
    assert GPT(GPTConfig(vocab_size=V, variant="synthesizer")).count_parameters() == expected - synthesizer


def test_weights_start_from_a_narrow_normal_and_an_untrained_model_knows_nothing() -> None:
    torch.manual_seed(0)
    model = GPT(GPTConfig(vocab_size=256))
    for name, parameter in model.named_parameters():
        if name.endswith("bias") or name == "position_embedding":
            assert parameter.eq(0).all(), name
        elif "norm" in name:
            assert parameter.eq(1).all(), name
        # at least 65,536 draws: the sample deviation is within 0.02 ± 2 % (7 standard errors of 0.02 / √(2n))
        else:
            assert parameter.std().item() == pytest.approx(0.02, rel=0.02), name
    tokens = torch.randint(1, 256, (4, 32))
    _, loss = model(tokens, tokens.roll(1, dims=1))
    assert loss is not None
    assert loss.item() == pytest.approx(math.log(256), abs=0.1)


@pytest.mark.parametrize("variant", [name for name in variant_names() if find_variant(name).causal])
def test_padding_carries_no_loss_and_changes_none(variant: str) -> None:
    model = small(variant)
    tokens, targets = torch.randint(1, 30, (3, 12)), torch.randint(1, 30, (3, 12))
    targets[:, :5] = 0
    logits, loss = model(tokens, targets)
    chosen = logits.log_softmax(dim=-1).gather(2, targets[..., None])[:, 5:]
    torch.testing.assert_close(loss, -chosen.mean())
    pad = torch.zeros(3, 20, dtype=torch.int64)
    _, padded = model(torch.cat((tokens, pad), 1), torch.cat((targets, pad), 1))
    torch.testing.assert_close(loss, padded)


@pytest.mark.parametrize(
    "variant", [name for name in variant_names() if find_variant(name).supports_kv_cache]
)
@torch.no_grad()
def test_reading_piece_by_piece_gives_the_logits_of_reading_at_once(variant: str) -> None:
    model = small(variant).double()
    tokens = torch.randint(0, 30, (3, 20))
    whole, _ = model(tokens)
    cache = KVCache(2, capacity=20)
    pieces = []
    for piece in tokens.split([7, 1, 1, 5, 6], dim=1):
        first = sum(p.shape[1] for p in pieces)
        cache.set_positions(torch.arange(first, first + piece.shape[1]).expand(3, -1))
        pieces.append(model(piece, cache=cache)[0])
    # RoPE's angles are float32
    torch.testing.assert_close(torch.cat(pieces, dim=1), whole, atol=1e-6, rtol=1e-6)


# of many lengths; and none ever closed
@pytest.mark.parametrize(("closing", "fewest", "count"), [(0.5, 6, 40), (-5.0, 1, 8)])
# all others in variants/test_every_variant.py
@pytest.mark.slow
@pytest.mark.parametrize("variant", ["vanilla", "rope", "synthesizer"])
def test_batched_answers_equal_one_by_one_answers_token_for_token(
    variant: str, closing: float, fewest: int, count: int
) -> None:
    generator = torch.Generator().manual_seed(1)
    letters = LETTERS.characters[2:-1]
    lengths = torch.randint(1, 60, (count,), generator=generator).tolist()
    questions = [
        "".join(letters[int(i)] for i in torch.randint(len(letters), (n,), generator=generator))
        for n in lengths
    ]
    questions.append(letters * 4)  # longer than the block leaves room for
    model = small(variant, closing)
    expected = answer_one_by_one(model, LETTERS, questions)
    lengths_found = {len(answer) for answer in expected}
    assert len(lengths_found) >= fewest and (closing > 0 or lengths_found == {LONGEST_ANSWER}), (
        "the test must mean something"
    )
    assert answer_questions(model, LETTERS, questions, batch_size=16 if count > 16 else 6) == expected


def test_answering_leaves_the_model_as_it_was() -> None:
    model = small().train()
    answer_questions(model, LETTERS, ["Where?"])
    assert model.training
    assert answer_questions(model, LETTERS, []) == []


def test_an_unknown_character_in_a_question_is_named() -> None:
    with pytest.raises(UserError, match="'Ж'"):
        answer_questions(small(), LETTERS, ["Where is Ж"])


def test_a_row_that_is_too_long_and_a_shape_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="129 characters is longer than the model's block of 128"):
        small()(torch.zeros(1, 129, dtype=torch.int64))
    with pytest.raises(UserError, match="30 is none of 4"):
        GPTConfig(vocab_size=5, d_model=30, n_head=4)
    with pytest.raises(UserError, match="n_layer must be at least 1, not 0"):
        GPTConfig(vocab_size=5, n_layer=0)
    with pytest.raises(UserError, match="must be even, not 3"):
        GPT(GPTConfig(vocab_size=5, d_model=6, n_head=2, variant="rope"))


def test_scoring_counts_exact_answers_and_skips_unknown_ones() -> None:
    found = score(["Paris", "Rome", "Oslo"], [Pair("a", "Paris"), Pair("b", "rome"), Pair("c", None)])
    assert (found.accuracy.hits, found.accuracy.total, found.accuracy.value) == (1, 2, 0.5)
    assert found.predictions == ("Paris", "Rome", "Oslo")
    # Wilson by hand: centre (0.05 + z²/1000)/(1 + z²/500), z = 1.959964 → 0.0534, half width 0.0193
    low, high = Evaluation(Proportion(25, 500), ()).accuracy.interval
    assert (round(low, 4), round(high, 4)) == (0.0341, 0.0728)


def test_an_untrained_model_answers_every_question_of_a_test_set() -> None:
    found = evaluate(small(), LETTERS, [Pair("Where was a?", None), Pair("Where was b?", None)])
    assert found.accuracy.total == 0
    assert len(found.predictions) == 2


FOLDER = Path(kqa_core.model.__file__).parent


def lines_of_code(function: Callable[..., object]) -> int:
    """The lines of a function without docstring, comments and empty lines; the signature counts."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    if ast.get_docstring(definition):
        del definition.body[0]
    numbers = {
        line
        for node in ast.walk(definition)
        if isinstance(node, ast.stmt | ast.expr | ast.arg)
        for line in (node.lineno, *([node.end_lineno] if isinstance(node, ast.expr) else []))
    }
    return len(numbers)


@pytest.mark.parametrize(("function", "most"), [(Block.forward, 6), (GPT.forward, 25)])
def test_the_forward_pass_is_short(function: Callable[..., object], most: int) -> None:
    assert lines_of_code(function) <= most


def test_the_model_knows_nothing_of_packed_rows_and_inspects_no_signature() -> None:
    sources = {path.name: path.read_text(encoding="utf-8").lower() for path in FOLDER.rglob("*.py")}
    assert len(sources) > 10
    for name, source in sources.items():
        assert "packing" not in source and "inspect.signature" not in source, name
