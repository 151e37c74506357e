"""What must be so whatever the variant, the positions and the way heads are put together."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import torch
from portions import portion

from kqa_core.errors import UserError
from kqa_core.evaluation.generate import answer_one_by_one, answer_questions
from kqa_core.evaluation.probes import reads_the_future
from kqa_core.model import checkpoint, variant_registry
from kqa_core.model.attention import CausalSelfAttention
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.config import POSITIONS, ROTARY, GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.head_fusion import FUSIONS
from kqa_core.model.kv_cache import KVCache, LayerKVCache
from kqa_core.model.variant_registry import find_variant, register_variant, variant_names
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.loop import loss_and_gradient
from kqa_core.training.optimizer import Optimizer, OptimizerConfig
from kqa_core.training.packing import packed_logits

PACKAGE = Path(variant_registry.__file__).parents[1]
LETTERS = Vocabulary.from_text("abcdefghijklmnopqrstuvwxyz ?W\n")
SMALL = GPTConfig(
    vocab_size=len(LETTERS),
    block_size=48,
    n_layer=3,
    n_head=2,
    d_model=16,
    linformer_rank=6,
    bigbird_window=3,
    bigbird_global=2,
    bigbird_random=2,
    bottleneck_dim=10,
)
# every variant as it comes, and with the fusion that looks at the heads of the past; other positions where
# they can differ, and every fusion, on a few variants that are unlike each other
CHOICES = [
    *(
        (variant, "variant", fusion)
        for variant in variant_names()
        for fusion in ("concat", "norm-reweight-causal")
    ),
    *((variant, positions, "concat") for variant in ("vanilla", "bigbird") for positions in POSITIONS),
    *((variant, "sinusoidal", "concat") for variant in ("synthesizer", "perceiver")),
    *((variant, "variant", fusion) for variant in ("rope", "perceiver") for fusion in FUSIONS),
]
CHOICES = sorted({each for each in CHOICES if each[1] != ROTARY or find_variant(each[0]).takes_rotary})
# every variant as it comes, and an eighth of the rest
PLAIN = [each for each in CHOICES if each[1:] == ("variant", "concat")]
SOURCES = sorted(path for folder in ("model", "evaluation") for path in (PACKAGE / folder).rglob("*.py"))
CHOICES = PLAIN + portion([each for each in CHOICES if each not in PLAIN], 8, *SOURCES)


def small(
    variant: str, positions: str, fusion: str, std: float = 0.5, seed: int = 0, **changes: object
) -> GPT:
    """A model in evaluation mode whose weights are large enough that a mistake shows."""
    torch.manual_seed(seed)
    config = dataclasses.replace(SMALL, variant=variant, positions=positions, fusion=fusion)
    model = GPT(dataclasses.replace(config, **changes))  # type: ignore[arg-type]
    for name, parameter in model.named_parameters():
        if "norm" not in name:
            torch.nn.init.normal_(parameter, std=std)
    return model.eval()


def some_tokens(rows: int, length: int) -> torch.Tensor:
    return torch.randint(2, len(LETTERS), (rows, length), generator=torch.Generator().manual_seed(length))


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "positions", "fusion"), CHOICES)
def test_it_reads_the_future_where_it_says_so_and_nowhere_else(
    variant: str, positions: str, fusion: str
) -> None:
    model = small(variant, positions, fusion)
    assert model.causal == (variant != "linformer" and fusion != "norm-reweight")
    assert reads_the_future(model, some_tokens(2, 24)) != model.causal
    fresh = GPT(model.config).eval()  # the weights of a first step, at which everything is nearly an average
    assert reads_the_future(fresh, some_tokens(2, 24)) != model.causal


@pytest.mark.parametrize(("variant", "positions", "fusion"), CHOICES)
def test_gradients_reach_every_number_of_every_parameter(variant: str, positions: str, fusion: str) -> None:
    model = small(variant, positions, fusion).double()
    length = SMALL.block_size  # a whole block: what belongs to late positions is used only there
    tokens = torch.cat([some_tokens(8, length), torch.arange(len(LETTERS)).repeat(8, 2)[:, :length]])
    targets = torch.randint(1, len(LETTERS), tokens.shape, generator=torch.Generator().manual_seed(1))
    _, loss = model(tokens, targets)
    loss.backward()
    for name, parameter in model.named_parameters():
        gradient = parameter.grad
        assert gradient is not None, name
        assert torch.isfinite(gradient).all(), name
        if name.endswith("key.bias") and variant not in ("rope", "linformer") and positions != ROTARY:
            continue  # one shift of all logits of a query: the softmax ignores it
        reached = gradient.abs() > 1e-14
        if name.endswith(".table") and variant == "random_synthesizer":  # the future half is masked
            reached |= torch.ones(length, length, dtype=torch.bool).triu(1)
            reached[:, 0, 0] = True  # the first position reads itself alone, whatever its logit
        if name.endswith((".rows", ".basis")):
            reached[:, 0] = True  # likewise
        assert reached.float().mean() > 0.95, (name, reached.float().mean())  # a ReLU may leave a unit shut
        # every head, every row of the basis
        assert reached.flatten(1).any(dim=1).all() if parameter.ndim > 2 else True, name


@pytest.mark.parametrize(("variant", "positions", "fusion"), CHOICES)
@torch.no_grad()
def test_every_length_and_type_goes_through_and_keeps_its_type(
    variant: str, positions: str, fusion: str
) -> None:
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        model = small(variant, positions, fusion).to(dtype)
        for T in (1, 2, 9, 10, 11, 47, 48):
            logits, _ = model(some_tokens(2, T))
            assert (logits.shape, logits.dtype) == ((2, T, len(LETTERS)), dtype)
            assert torch.isfinite(logits).all()


@pytest.mark.parametrize(("variant", "positions", "fusion"), CHOICES)
def test_nothing_is_made_on_another_device(variant: str, positions: str, fusion: str) -> None:
    # torch's device without memory: mixing it with another fails
    model = small(variant, positions, fusion).to("meta").train()
    logits, _ = model(torch.zeros(2, 17, dtype=torch.int64, device="meta"))
    assert logits.device.type == "meta"
    long = small(variant, positions, fusion, bigbird_window=1, bigbird_global=1, bigbird_random=1).to("meta")
    assert long(torch.zeros(2, 40, dtype=torch.int64, device="meta"))[0].shape == (2, 40, len(LETTERS))


@pytest.mark.parametrize(("variant", "positions", "fusion"), CHOICES)
@torch.no_grad()
def test_reading_piece_by_piece_gives_the_logits_of_reading_at_once(
    variant: str, positions: str, fusion: str
) -> None:
    model = small(variant, positions, fusion).double()
    tokens = some_tokens(3, 20)
    cache = KVCache(SMALL.n_layer, capacity=24)
    if not model.supports_kv_cache:
        cache.set_positions(torch.arange(20).expand(3, -1))
        with pytest.raises(ValueError, match="cannot decode with a KVCache"):
            model(tokens, cache=cache)
        return
    pieces: list[torch.Tensor] = []
    for piece in tokens.split([7, 1, 1, 1, 1, 5, 4], dim=1):  # the bottleneck of 10 rows fills up on the way
        first = sum(p.shape[1] for p in pieces)
        cache.set_positions(torch.arange(first, first + piece.shape[1]).expand(3, -1))
        pieces.append(model(piece, cache=cache)[0])
    whole, _ = model(tokens)
    # RoPE's angles and the sines are float32
    torch.testing.assert_close(torch.cat(pieces, dim=1), whole, atol=1e-5, rtol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "positions", "fusion"), CHOICES)
def test_batched_answers_equal_one_by_one_answers_token_for_token(
    variant: str, positions: str, fusion: str
) -> None:
    generator = torch.Generator().manual_seed(1)
    letters = LETTERS.characters[2:-1]
    # with the ⁇ below, at and beyond the bottleneck; with 32 more the block is nearly full
    lengths = [1, 3, 8, 9, 10, 14]
    questions = [
        "".join(letters[int(i)] for i in torch.randint(len(letters), (n,), generator=generator))
        for n in lengths
    ]
    questions.append(letters)  # longer than the block leaves room for
    for seed in range(5):  # some models of chance say one thing whatever they are asked
        model = small(variant, positions, fusion, seed=seed)
        expected = answer_one_by_one(model, LETTERS, questions)
        assert answer_questions(model, LETTERS, questions, batch_size=4) == expected
        if len(set(expected)) > 2:
            return
    raise AssertionError("the test must mean something: no model gave more than two answers")


def ragged() -> tuple[torch.Tensor, torch.Tensor]:
    """x and y (5, 20): rows of 20, 7, 1, 13 and no targets,
    some of them inside a row left out, padding on the right.
    """
    row = some_tokens(5, 21)
    x, y = row[:, :-1].clone(), row[:, 1:].clone()
    for i, length in enumerate((20, 7, 1, 13, 0)):
        x[i, length:], y[i, length:] = 0, 0
    y[0, 2:9], y[3, 0] = 0, 0
    return x, y


def whole_and_packed(model: GPT) -> list[tuple[torch.Tensor, dict[str, torch.Tensor]]]:
    """The mean loss of `ragged` and its gradients: of whole rows, and of packed ones."""
    x, y = ragged()
    results = []
    for logits_of in (lambda: model(x)[0][y > 0], lambda: packed_logits(model, x, y)):
        model.zero_grad()
        loss = torch.nn.functional.cross_entropy(logits_of(), y[y > 0])
        loss.backward()
        gradients = {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}
        results.append((loss.detach(), gradients))
    return results


@pytest.mark.parametrize(("variant", "positions", "fusion"), CHOICES)
def test_packed_rows_have_the_loss_and_the_gradients_of_whole_ones(
    variant: str, positions: str, fusion: str
) -> None:
    model = small(variant, positions, fusion).double()
    whole, packed = whole_and_packed(model)
    torch.testing.assert_close(packed, whole, rtol=1e-5, atol=1e-9)  # RoPE's angles and the sines are float32


@pytest.mark.parametrize("overrides", ["forward", "attend"])
def test_a_layer_of_a_students_own_trains_as_it_computes(
    overrides: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    class Mine(CausalSelfAttention):
        """Half of vanilla's attention, by a change of the layer or of what happens between positions."""

    def forward(self: Mine, x: torch.Tensor, cache: LayerKVCache | None = None) -> torch.Tensor:
        calls.append(x.ndim)
        return CausalSelfAttention.forward(self, x, cache) / 2

    def attend(self: Mine, *heads: torch.Tensor, cache: LayerKVCache | None) -> torch.Tensor:
        calls.append(heads[0].ndim)
        return CausalSelfAttention.attend(self, *heads, cache=cache) / 2

    setattr(Mine, overrides, {"forward": forward, "attend": attend}[overrides])
    monkeypatch.setattr(variant_registry, "_registered", {})
    register_variant("mine", Mine)
    whole, packed = whole_and_packed(small("mine", "variant", "concat").double())
    torch.testing.assert_close(packed, whole, rtol=1e-9, atol=1e-12)
    assert set(calls) == {
        3 if overrides == "forward" else 4
    }  # rows, or rows of heads: never packed positions
    assert whole[0] != whole_and_packed(small("vanilla", "variant", "concat").double())[0][0]


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "positions", "fusion"), CHOICES)
def test_it_learns_and_comes_back_from_its_checkpoint(
    tmp_path: Path, variant: str, positions: str, fusion: str
) -> None:
    torch.manual_seed(0)
    model = GPT(dataclasses.replace(SMALL, variant=variant, positions=positions, fusion=fusion))
    optimizer = Optimizer(model, OptimizerConfig(rate=1e-2, muon_rate=0.02))
    tokens = some_tokens(8, 25)
    losses = []
    for _ in range(15):
        losses.append(loss_and_gradient(model, (tokens[:, :-1], tokens[:, 1:]), bfloat16=False))
        optimizer.step()
    assert losses[-1] < losses[0] - 0.3  # from log 31 = 3.4: eight rows are easily learnt by heart
    checkpoint.save(tmp_path / "m", Checkpoint(model, LETTERS, optimizer=optimizer.state_tensors()))
    after = checkpoint.load(tmp_path / "m").model
    assert after.config == model.config
    with torch.no_grad():
        assert torch.equal(after.eval()(tokens)[0], model.eval()(tokens)[0])


@pytest.mark.parametrize(("variant", "positions", "fusion"), CHOICES)
def test_it_trains_in_mixed_precision(variant: str, positions: str, fusion: str) -> None:
    model = small(variant, positions, fusion, std=0.1).train()
    tokens = some_tokens(4, 25)
    loss = loss_and_gradient(model, (tokens[:, :-1], tokens[:, 1:]), bfloat16=True)
    assert 0 < loss < 10
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.dtype == torch.float32, name


@pytest.mark.parametrize("variant", ["random_synthesizer", "factorised_random_synthesizer"])
def test_a_fixed_random_table_is_no_parameter_but_part_of_the_checkpoint(
    tmp_path: Path, variant: str
) -> None:
    trained, fixed = (small(variant, "variant", "concat", synthesizer_fixed=each) for each in (False, True))
    tables = {name for name in trained.state_dict() if name.endswith((".table", ".rows", ".columns"))}
    assert len(tables) == SMALL.n_layer * (1 if variant == "random_synthesizer" else 2)
    assert tables <= {name for name, _ in trained.named_parameters()}
    assert tables.isdisjoint(name for name, _ in fixed.named_parameters())
    checkpoint.save(tmp_path / "m", Checkpoint(fixed, LETTERS))
    after = checkpoint.load(tmp_path / "m").model
    assert all(torch.equal(after.state_dict()[name], fixed.state_dict()[name]) for name in tables)
    assert not reads_the_future(fixed, some_tokens(2, 12))


@pytest.mark.parametrize("variant", [name for name in variant_names() if not find_variant(name).takes_rotary])
def test_rotary_positions_are_refused_where_nothing_can_be_turned(variant: str) -> None:
    with pytest.raises(UserError, match=f"{variant} does not support: use learned, sinusoidal or none"):
        GPT(dataclasses.replace(SMALL, variant=variant, positions="rotary"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"positions": "rotory"},
            "positions must be one of learned, sinusoidal, rotary, none, variant, not 'rotory'",
        ),
        (
            {"fusion": "mean"},
            "fusion must be one of concat, shuffle, shift, norm-reweight, norm-reweight-causal, not 'mean'",
        ),
        ({"linformer_rank": 0}, "linformer_rank must be at least 1, not 0"),
        ({"bigbird_random": -1}, "bigbird_random must be at least 0, not -1"),
        (
            {"variant": "rope", "positions": "learned"},
            "rope means rotary positions, not learned: use vanilla",
        ),
        ({"variant": "perceiver", "n_layer": 1}, "n_layer must be ≥ 2, not 1"),
    ],
)
def test_what_cannot_be_is_named(changes: dict[str, object], said: str) -> None:
    with pytest.raises(UserError, match=said):
        GPT(dataclasses.replace(SMALL, **changes))  # type: ignore[arg-type]


def test_a_checkpoint_from_before_these_choices_loads_as_the_model_it_was(tmp_path: Path) -> None:
    import json

    for variant in ("vanilla", "rope", "synthesizer"):
        model = small(variant, "variant", "concat")
        checkpoint.save(tmp_path / variant, Checkpoint(model, LETTERS))
        state = json.loads((tmp_path / variant / "state.json").read_text(encoding="utf-8"))
        before = ("vocab_size", "block_size", "n_layer", "n_head", "d_model", "variant")
        dropouts = ("embedding_dropout", "attention_dropout", "residual_dropout")
        state["config"] = {name: state["config"][name] for name in (*before, *dropouts)}  # all there was
        (tmp_path / variant / "state.json").write_text(json.dumps(state), encoding="utf-8")
        after = checkpoint.load(tmp_path / variant).model.eval()
        tokens = some_tokens(2, 30)
        with torch.no_grad():
            assert torch.equal(after(tokens)[0], model(tokens)[0])
        assert set(after.state_dict()) == set(model.state_dict())
