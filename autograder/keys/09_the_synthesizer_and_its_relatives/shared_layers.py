"""Answer key of shared_layers. `test_09_relatives.py` holds the table of pairs against the identity of the parameters."""

from __future__ import annotations

import itertools
import random

import torch
from course_exercises._stacks import KINDS
from course_exercises.shared_layers import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every kind twice, in another order for each student."""
    kinds = [*KINDS, *KINDS]
    rng.shuffle(kinds)
    judge(answer, kinds, rng)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """One of each kind."""
    return [(Build("course_exercises._stacks:stack", (kind, 3, rng.getrandbits(30))),) for kind in KINDS]


def shared_layers(model):
    """The reference."""
    own = [{id(parameter) for parameter in block.parameters()} for block in model.blocks]
    return [(i, j) for j in range(len(own)) for i in range(j) if own[i] & own[j]]


def by_owners(model):
    """Who owns each parameter."""
    owners: dict[object, set[int]] = {}
    for i, block in enumerate(model.blocks):
        for parameter in block.parameters():
            owners.setdefault(parameter, set()).add(i)
    return sorted({pair for group in owners.values() for pair in itertools.combinations(sorted(group), 2)})


def by_memory(model):
    """By the place in memory."""
    places = [{p.data_ptr() for p in block.parameters()} for block in model.blocks]
    return {(i, j) for i, j in itertools.combinations(range(len(places)), 2) if not places[i].isdisjoint(places[j])}


def by_changing(model):
    """Adds to the parameters of one layer, looks which others change, and takes it back."""
    found = []
    for i, block in enumerate(model.blocks):
        before = [[p.detach().clone() for p in other.parameters()] for other in model.blocks]
        with torch.no_grad():
            for p in block.parameters():
                p += 1.0
        for j in range(i + 1, len(model.blocks)):
            if any(not torch.equal(p, q) for p, q in zip(model.blocks[j].parameters(), before[j], strict=True)):
                found.append((i, j))
        with torch.no_grad():
            for p, q in zip(block.parameters(), before[i], strict=True):
                p.copy_(q)
    return found


def by_is(model):
    """Every parameter of the one against every parameter of the other."""
    found = []
    blocks = list(model.blocks)
    for i in range(len(blocks) - 1):
        for j in range(i + 1, len(blocks)):
            if any(a is b for a in blocks[i].parameters() for b in blocks[j].parameters()):
                found.append([i, j])
    return found


def by_numbers(model):
    """You compare numbers: layers that start as copies hold the same numbers in tensors of their own, and training parts them."""
    found = []
    for i, j in itertools.combinations(range(len(model.blocks)), 2):
        pairs = zip(model.blocks[i].parameters(), model.blocks[j].parameters(), strict=True)
        if any(torch.equal(a, b) for a, b in pairs):
            found.append((i, j))
    return found


def whole_layers_only(model):
    """You compare whole layers: two different layers can have a single parameter in common."""
    return [(i, j) for i, j in itertools.combinations(range(len(model.blocks)), 2) if model.blocks[i] is model.blocks[j]]


def first_parameter_only(model):
    """You look at one parameter of each layer; any of them can be the shared one."""
    first = [next(block.parameters()) for block in model.blocks]
    return [(i, j) for i, j in itertools.combinations(range(len(first)), 2) if first[i] is first[j]]


def matrices_only(model):
    """You look at matrices only; a vector, such as a LayerNorm's shift, can be shared as well."""
    own = [{id(p) for p in block.parameters() if p.ndim == 2} for block in model.blocks]
    return [(i, j) for i, j in itertools.combinations(range(len(own)), 2) if own[i] & own[j]]


def from_the_whole_model(model):
    """You go through the parameters of the whole model; torch lists a shared one only once there, so nothing is ever found."""
    owners: dict[int, list[int]] = {}
    for name, parameter in model.named_parameters():
        owners.setdefault(id(parameter), []).append(int(name.split(".")[1]))
    pairs = {pair for group in owners.values() for pair in itertools.combinations(sorted(set(group)), 2)}
    return sorted(pairs)


def neighbours_only(model):
    """You compare neighbours; layers far apart can share too."""
    own = [{id(p) for p in block.parameters()} for block in model.blocks]
    return [(i, i + 1) for i in range(len(own) - 1) if own[i] & own[i + 1]]


def counted_from_one(model):
    """Your layers are counted from 1; the first is model.blocks[0]."""
    own = [{id(p) for p in block.parameters()} for block in model.blocks]
    return [(i + 1, j + 1) for i, j in itertools.combinations(range(len(own)), 2) if own[i] & own[j]]


def both_orders(model):
    """You list every pair twice, (i, j) and (j, i), or a layer with itself; asked are pairs with i < j."""
    own = [{id(p) for p in block.parameters()} for block in model.blocks]
    return [(i, j) for i in range(len(own)) for j in range(len(own)) if own[i] & own[j]]


def by_name(model):
    """You compare names: the parameters of all layers have the same names, whether they are shared or not."""
    own = [{name for name, _ in block.named_parameters()} for block in model.blocks]
    return [(i, j) for i, j in itertools.combinations(range(len(own)), 2) if own[i] & own[j]]


def a_truth_value(model):
    """You say whether something is shared; asked is which layers share, as pairs."""
    own = [{id(p) for p in block.parameters()} for block in model.blocks]
    return any(own[i] & own[j] for i, j in itertools.combinations(range(len(own)), 2))


def all_or_nothing(model):
    """You count parameters, and take all layers for one if there are too few; some can share while others do not."""
    apart = sum(sum(1 for _ in block.parameters()) for block in model.blocks)
    missing = sum(1 for _ in model.parameters()) < apart
    return list(itertools.combinations(range(len(model.blocks)), 2)) if missing else []


KEY = AnswerKey(
    id="shared_layers",
    hidden=hidden,
    reference=shared_layers,
    accepted=(by_owners, by_memory, by_changing, by_is),
    rejected=(
        *(by_numbers, whole_layers_only, first_parameter_only, matrices_only, from_the_whole_model),
        *(neighbours_only, counted_from_one, both_orders, by_name, a_truth_value, all_or_nothing),
    ),
    fingerprint=fingerprint,
)
