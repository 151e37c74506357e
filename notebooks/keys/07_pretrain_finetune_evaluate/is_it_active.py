"""Answer key of is_it_active.

All 28 suspects of the hidden check must be told apart; a coin does so once in 268 million times, a right
answer always. Two suspects round once more than the trusted model: their logits differ by less than
1e-5. The nearest impostor's logits lie 0.003 or more from the variant's, in float32 and at logits of size
2:
`test_07_training.py` measures both.
"""

from __future__ import annotations

import copy
import random
from dataclasses import replace

import torch
from course_exercises.is_it_active import FAINT, HONEST, PRETENDING, call, every_kind

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.model.gpt import GPT


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every kind of suspect, in random order."""
    every_kind(answer, rng)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every kind of suspect of one variant, and what only the other variant shows:
    few, because diagnosing has seconds.
    """
    kinds = [("rope", what, False) for what in (*HONEST, *PRETENDING)]
    faint = [("rope", what, False) for what in FAINT]
    others = ("first layer only", "vanilla in a class of its name", "vanilla with its parameters")
    return [
        call(case, rng)
        for case in (
            *kinds,
            *faint,
            ("rope", "honest", True),
            *(("synthesizer", what, False) for what in others),
        )
    ]


def is_it_active(model, reference):
    """The reference."""
    weights, wanted = model.state_dict(), reference.state_dict()
    if any(name not in weights or weights[name].shape != wanted[name].shape for name in wanted):
        return False
    reference.load_state_dict({name: weights[name] for name in wanted})
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    with torch.no_grad():
        return torch.allclose(model.eval()(tokens)[0], reference.eval()(tokens)[0], atol=1e-5)


def called_functionally(model, reference):
    """Calls the trusted model with the suspect's parameters, changing neither."""
    names = [name for name, _ in reference.named_parameters()]
    given = dict(model.named_parameters())
    if not set(names) <= set(given):
        return False
    tokens = torch.arange(model.config.block_size)[None] * 7 % model.config.vocab_size
    was = model.training
    model.eval(), reference.eval()
    try:
        theirs = torch.func.functional_call(reference, {name: given[name] for name in names}, (tokens,))[0]
    except (RuntimeError, ValueError):
        return False
    ours = model(tokens)[0]
    model.train(was)
    return bool((ours - theirs).abs().max() < 1e-4)


def layer_by_layer(model, reference):
    """Compares the attention of every layer on a random stream, then the whole."""
    model, reference = copy.deepcopy(model).eval(), copy.deepcopy(reference).eval()
    try:
        outcome = reference.load_state_dict(model.state_dict(), strict=False)
    except RuntimeError:
        return False
    if outcome.missing_keys:
        return False
    x = torch.randn(3, model.config.block_size, model.config.d_model)
    for ours, theirs in zip(model.blocks, reference.blocks, strict=True):
        if not torch.allclose(ours.attention(x), theirs.attention(x), atol=1e-5):
            return False
    tokens = torch.randint(0, model.config.vocab_size, (2, 9))
    return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-5)


def by_the_loss(model, reference):
    """Compares losses per batch, to many digits."""
    model.eval()
    reference.eval()
    with torch.no_grad():
        theirs = dict(model.named_parameters())
        for name, parameter in reference.named_parameters():
            if name not in theirs or theirs[name].shape != parameter.shape:
                return False
            parameter.copy_(theirs[name])
        generator = torch.Generator().manual_seed(5)
        for _ in range(4):
            rows = torch.randint(
                1, model.config.vocab_size, (3, model.config.block_size), generator=generator
            )
            ours, wanted = (each(rows[:, :-1], rows[:, 1:])[1].item() for each in (model, reference))
            if abs(ours - wanted) > 1e-5:
                return False
    return True


def built_from_the_config(model, reference):
    """Makes a trusted model of its own from the reference's config."""
    own = GPT(replace(reference.config, embedding_dropout=0.0)).double().eval()
    state = {name: tensor.double() for name, tensor in model.state_dict().items() if name in own.state_dict()}
    if len(state) < len(own.state_dict()):
        return False
    own.load_state_dict(state)
    twin = copy.deepcopy(model).double().eval()
    tokens = torch.randint(model.config.vocab_size, (2, model.config.block_size))
    return ((twin(tokens)[0] - own(tokens)[0]).norm() < 1e-6).item()


def by_its_config(model, reference):
    """You say True to every model. A setting may be there although nothing reads it, and a copy of `model`
    always agrees with `model`: compare what `model` computes with what `reference` computes.
    """
    return model.config.variant == reference.config.variant


def by_its_class(model, reference):
    """You go by the name of the attention's class.
    A class of this name may still compute vanilla attention.
    """
    ours, theirs = model.blocks[0].attention, reference.blocks[0].attention
    return type(ours).__name__ == type(theirs).__name__


def by_every_class(model, reference):
    """You go by the names of the classes in every layer.
    Classes of this name may still compute vanilla attention.
    """
    pairs = zip(model.blocks, reference.blocks, strict=True)
    return all(type(a.attention).__name__ == type(b.attention).__name__ for a, b in pairs)


def by_counting(model, reference):
    """You compare the number or the names of parameters.
    Models with equal parameters may compute different things.
    """
    return model.count_parameters() == reference.count_parameters()


def by_its_keys(model, reference):
    """You compare the number or the names of parameters.
    Models with equal parameters may compute different things.
    """
    return model.state_dict().keys() == reference.state_dict().keys()


def has_the_parameters(model, reference):
    """You go by what the model has: its parameters or its setting. Both may be there and not be used: compare
    the logits.
    """
    return set(dict(reference.named_parameters())) <= set(dict(model.named_parameters()))


def into_the_suspect(model, reference):
    """Your verdicts are right, but your function changes the weights of `model`, which is still needed.
    Change those of `reference`, or of a copy.
    """
    model.load_state_dict(reference.state_dict(), strict=False)
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    return torch.allclose(model.eval()(tokens)[0], reference.eval()(tokens)[0], atol=1e-5)


def other_weights(model, reference):
    """You say False to every model. The logits of a variant and of `reference` agree only with the same
    weights and the same tokens, in evaluation mode.
    """
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    return torch.allclose(model.eval()(tokens)[0], reference.eval()(tokens)[0], atol=1e-5)


def one_token(model, reference):
    """You look at a first token only. There every attention puts all its weight on this token: use a longer
    row, and all of its logits.
    """
    weights, wanted = model.state_dict(), reference.state_dict()
    if any(name not in weights for name in wanted):
        return False
    reference.load_state_dict({name: weights[name] for name in wanted})
    tokens = torch.randint(model.config.vocab_size, (8, 1))
    return torch.allclose(model.eval()(tokens)[0], reference.eval()(tokens)[0], atol=1e-5)


def one_letter_repeated(model, reference):
    """You try a row of one repeated token. If all values are equal, their average is the same under any
    weights. Draw the tokens at random.
    """
    weights, wanted = model.state_dict(), reference.state_dict()
    if any(name not in weights for name in wanted):
        return False
    reference.load_state_dict({name: weights[name] for name in wanted})
    tokens = torch.full((1, model.config.block_size), 3)
    return torch.allclose(model.eval()(tokens)[0], reference.eval()(tokens)[0], atol=1e-5)


def dropout_alive(model, reference):
    """You return False for a model that arrives in training mode, in which dropout changes its logits. Call
    eval() on both models.
    """
    weights, wanted = model.state_dict(), reference.state_dict()
    if any(name not in weights for name in wanted):
        return False
    reference.load_state_dict({name: weights[name] for name in wanted})
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    return torch.allclose(model(tokens)[0], reference(tokens)[0], atol=1e-5)


def strictly_loaded(model, reference):
    """You return False for a model with spare parameters. A model may have more than it uses: load those that
    `reference` has, by their names.
    """
    try:
        reference.load_state_dict(model.state_dict())
    except RuntimeError:
        return False
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    return torch.allclose(model.eval()(tokens)[0], reference.eval()(tokens)[0], atol=1e-5)


def first_layer(model, reference):
    """You look at the first layer only. The others may be vanilla."""
    model.eval()
    weights, wanted = model.blocks[0].state_dict(), reference.blocks[0].state_dict()
    if any(name not in weights for name in wanted):
        return False
    reference.blocks[0].load_state_dict({name: weights[name] for name in wanted})
    x = torch.randn(2, model.config.block_size, model.config.d_model)
    return torch.allclose(model.blocks[0](x), reference.blocks[0](x), atol=1e-5)


def last_layer(model, reference):
    """You look at the last layer only. The others may be vanilla."""
    model.eval()
    weights, wanted = model.blocks[-1].state_dict(), reference.blocks[-1].state_dict()
    if any(name not in weights for name in wanted):
        return False
    reference.blocks[-1].load_state_dict({name: weights[name] for name in wanted})
    x = torch.randn(2, model.config.block_size, model.config.d_model)
    return torch.allclose(model.blocks[-1](x), reference.blocks[-1](x), atol=1e-5)


def within_a_half(model, reference):
    """Not all logits of the two models are compared, or not closely enough: differences above 1e-3 count."""
    weights, wanted = model.state_dict(), reference.state_dict()
    if any(name not in weights or weights[name].shape != wanted[name].shape for name in wanted):
        return False
    reference.load_state_dict({name: weights[name] for name in wanted})
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    return torch.allclose(model.eval()(tokens)[0], reference.eval()(tokens)[0], atol=0.5)


def not_vanilla(model, reference):
    """You test that the model is not vanilla. That does not show that every layer computes the variant."""
    plain = GPT(replace(model.config, variant="vanilla", embedding_dropout=0.0)).eval()
    weights = model.state_dict()
    if any(name not in weights for name in plain.state_dict()):
        return True
    plain.load_state_dict({name: weights[name] for name in plain.state_dict()})
    tokens = torch.randint(model.config.vocab_size, (4, model.config.block_size))
    return not torch.allclose(model.eval()(tokens)[0], plain(tokens)[0], atol=1e-5)


def by_inheritance(model, reference):
    """You ask whether the attention is an instance of the variant's class.
    A subclass may compute something else.
    """
    pairs = zip(model.blocks, reference.blocks, strict=True)
    return all(isinstance(a.attention, type(b.attention)) for a, b in pairs)


KEY = AnswerKey(
    id="is_it_active",
    hidden=hidden,
    reference=is_it_active,
    accepted=(called_functionally, layer_by_layer, by_the_loss, built_from_the_config),
    rejected=(
        *(
            by_its_config,
            by_its_class,
            by_every_class,
            by_counting,
            by_its_keys,
            has_the_parameters,
            other_weights,
            one_token,
        ),
        *(
            one_letter_repeated,
            dropout_alive,
            strictly_loaded,
            first_layer,
            last_layer,
            within_a_half,
            not_vanilla,
        ),
        *(by_inheritance, into_the_suspect),
    ),
    fingerprint=fingerprint,
    commentary="""
    Two models with the same weights and the same input can differ in their outputs only if they compute
    different things. So the reference gets the suspect's weights, by name. If one is missing or has another
    shape, the suspect cannot be the variant; extra ones do no harm. Random rows of full length show a
    difference in any layer, because every layer changes the logits. Both models are in evaluation mode, since
    dropout would change the logits, too. The common mistakes are to compare names, classes or numbers of
    parameters, and to use an input at which all attentions agree, such as a single token.
    """,
)
