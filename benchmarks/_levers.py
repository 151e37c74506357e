"""The rows of the ladder: which recipe each trains, and on which world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kqa_core.experiments.results import LADDER, WHOLE, WITHOUT, rows_in
from kqa_core.model.config import GPTConfig
from kqa_core.training.recipes import ASSIGNMENT, BEST, SMALL, Recipe


@dataclass(frozen=True)
class World:
    """A corpus, and the recipe that the ladder leads to on it."""

    folder: str  # below data/
    best: Recipe
    characters: int  # that every row reads


WORLDS = {
    "small": World("world/small", SMALL, 2_800_000),
    "full": World("world/full", BEST, 5_000_000),
    "original": World("imported", BEST, 5_000_000),
}


@dataclass(frozen=True)
class Lever:
    """One row of the ladder: what it is called, the variant, the recipe."""

    name: str
    variant: str
    recipe: Recipe
    whole: bool = False  # train for as long as the recipe says, however many characters that is


def ladder(best: Recipe) -> list[Lever]:
    """From the assignment's recipe to `best` and beyond, one change a row;
    the model's size is that of `best` all along.
    """
    goal = best.pretrain
    recipe = replace(ASSIGNMENT, model=shape(best))
    rows: list[tuple[str, Recipe]] = [("vanilla", recipe)]

    def add(variant: str = "rope", **changed: Any) -> None:
        nonlocal recipe
        whole = {name: changed.pop(name) for name in ("model", "finetune") if name in changed}
        recipe = replace(recipe, pretrain=replace(recipe.pretrain, **changed), **whole)
        rows.append((variant, recipe))

    add("vanilla", schedule="anneal")
    add()  # rotary positions
    add(model=best.model)
    add(shuffle=True)
    if goal.batch_size != recipe.pretrain.batch_size:
        add(batch_size=goal.batch_size)
    add(loss="span")
    add(rows="salient", width=goal.width, any_word=True)
    add(any_word=False)
    add(question_share=goal.question_share)
    add(optimizer=replace(recipe.pretrain.optimizer, decay="matrices"))
    add(optimizer=replace(goal.optimizer, muon_rate=None))
    add(optimizer=goal.optimizer)
    add(finetune=best.finetune)
    add(cue_probability=goal.cue_probability)
    add(question_share=0.5)
    add(generated_questions=True)
    return [Lever(name, *row) for name, row in zip(names_for(best, LADDER), rows, strict=True)]


def without(best: Recipe) -> list[Lever]:
    """`best` with one lever taken away. (Without the cue it is the row before it on the ladder.)"""
    goal = best.pretrain
    changes: list[dict[str, Any]] = [
        {"schedule": "assignment"},
        {"variant": "vanilla"},
        {"model": shape(best)},
        {"shuffle": False},
        *({"batch_size": size} for size in ((128,) if goal.batch_size == 64 else (64, 256))),
        {"loss": "row"},
        {"width": GPTConfig(1).block_size},
        {"any_word": True},
        {"question_share": 0.0},
        {"optimizer": replace(goal.optimizer, decay="assignment")},
        {"optimizer": replace(goal.optimizer, muon_rate=None)},
        {"finetune": ASSIGNMENT.finetune},
    ]
    levers = []
    for name, changed in zip(names_for(best, WITHOUT), changes, strict=True):
        variant = changed.pop("variant", "rope")
        whole = {key: changed.pop(key) for key in ("model", "finetune") if key in changed}
        levers.append(Lever(name, variant, replace(best, pretrain=replace(goal, **changed), **whole)))
    return levers


def whole(best: Recipe) -> list[Lever]:
    """Recipes for as long as they say: the assignment to the letter,
    and `best`, with other positions and other attention.
    """
    letter, goal = replace(ASSIGNMENT, model=shape(best)), best.pretrain
    asked = replace(best, pretrain=replace(goal, question_share=0.5, generated_questions=True))
    no_cue = replace(best, pretrain=replace(goal, cue_probability=0.0))
    plain = replace(best, pretrain=replace(goal, cue_probability=0.0, question_share=0.0))
    rows = [
        ("vanilla", letter),
        ("rope", letter),
        ("synthesizer", letter),
        ("rope", best),
        ("rope", asked),
        ("rope", no_cue),
        ("rope", plain),
        ("rope", replace(plain, finetune=ASSIGNMENT.finetune)),
        ("synthesizer", best),
        ("synthesizer", asked),
    ]
    return [Lever(name, variant, recipe, True) for name, (variant, recipe) in zip(WHOLE, rows, strict=True)]


def names_for(best: Recipe, names: Sequence[str]) -> list[str]:
    """Those of these rows that a world has whose recipe is `best`:
    whether there is a lever *batches of 64* depends on it.
    """
    same = best.pretrain.batch_size == ASSIGNMENT.pretrain.batch_size
    return rows_in("original" if same else "small", names)


def shape(best: Recipe) -> dict[str, float | int]:
    """The size of the model of `best`, with the assignment's dropout."""
    return {name: value for name, value in best.model.items() if not name.endswith("_dropout")}
