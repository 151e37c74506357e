"""The ladder: what its rows are, and that a row is trained once and kept."""

import sys
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import pytest

from kqa_core.errors import UserError
from kqa_core.experiments.results import (
    BEST_ROW,
    LADDER,
    WHOLE,
    WITHOUT,
    compared_with,
    read_ladder,
    rows_in,
)
from kqa_core.text.birthplaces import person_of
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.training.recipes import ASSIGNMENT, BEST, SMALL
from kqa_core.training.runs import prepare_pretrain

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from benchmarks import ladder

TINY = shipped("world/tiny")
QUICK = replace(
    SMALL,
    model={**SMALL.model, "n_layer": 1, "n_head": 2, "d_model": 16},
    finetune=replace(SMALL.finetune, epochs=None, steps=2),
)
WORLD = ladder.World("world/tiny", QUICK, 40_000)


def flat(numbers, above=""):
    """A recipe's numbers by their path."""
    found = {}
    for name, value in numbers.items():
        found |= flat(value, f"{above}{name}.") if isinstance(value, dict) else {above + name: value}
    return found


def changes(first, second):
    """What differs between two rows of the ladder,
    but for how long a recipe takes and what it does without pretraining.
    """
    both = [flat({"variant": each.variant} | asdict(each.recipe)) for each in (first, second)]
    names = {name for name in both[0].keys() | both[1].keys() if both[0].get(name) != both[1].get(name)}
    return {name for name in names if not name.startswith("scratch.")} - {"pretrain.epochs", "pretrain.steps"}


DROPOUT = {f"model.{place}_dropout" for place in ("embedding", "attention", "residual")}
FINETUNING = {
    f"finetune.{name}"
    for name in ("optimizer.rate", "optimizer.decay", "shuffle", "epochs", "batch_size", "schedule")
}
ONE = [  # what each row of the ladder changes; a set is one thing made of several numbers
    {"pretrain.schedule"},
    {"variant"},
    DROPOUT,
    {"pretrain.shuffle"},
    {"pretrain.batch_size"},
    {"pretrain.loss"},
    # short rows; the other two mean nothing without them
    {"pretrain.rows", "pretrain.width", "pretrain.any_word"},
    {"pretrain.any_word"},
    {"pretrain.question_share"},
    {"pretrain.optimizer.decay"},
    {"pretrain.optimizer.rate"},
    {"pretrain.optimizer.muon_rate"},
    FINETUNING,
    {"pretrain.cue_probability"},
    {"pretrain.question_share"},
    {"pretrain.generated_questions"},
]


@pytest.mark.parametrize("best", [BEST, SMALL])
def test_each_row_of_the_ladder_changes_one_thing_of_the_row_above(best):
    rungs = ladder.ladder(best)
    assert rungs[0].recipe.pretrain == ASSIGNMENT.pretrain and rungs[0].variant == "vanilla"
    assert "embedding_dropout" not in rungs[0].recipe.model  # the assignment's own
    batches = {"pretrain.batch_size"}  # `best` keeps those of the assignment, and then there is no such row
    ones = [each for each in ONE if each != batches or best is SMALL]
    assert ("+ batches of 64" in [rung.name for rung in rungs]) == (best is SMALL)
    for (lower, upper), allowed in zip(pairwise(rungs), ones, strict=True):
        assert changes(lower, upper) - {"finetune.batch_size"} == allowed - {"finetune.batch_size"}, (
            upper.name
        )
    there = next(rung for rung in rungs if rung.name == BEST_ROW)
    assert changes(there, ladder.Lever("best", "rope", best)) == set()


@pytest.mark.parametrize("best", [BEST, SMALL])
def test_without_changes_one_thing_of_the_best(best):
    allowed = [each for each in [*ONE, {"pretrain.width"}] if each != {"pretrain.cue_probability"}]
    for lever in ladder.without(best):
        changed = changes(lever, ladder.Lever("best", "rope", best))
        assert changed - {"finetune.batch_size"} in [each - {"finetune.batch_size"} for each in allowed], (
            lever.name
        )


def test_every_world_has_a_row_of_other_batches_and_a_row_above_each():
    for world in ("small", "original"):
        rows, without = rows_in(world, LADDER), rows_in(world, WITHOUT)
        sizes = {"small": (128,), "original": (64, 256)}[world]
        assert [name for name in without if "batches" in name] == [
            f"best with batches of {size}" for size in sizes
        ]
        assert [compared_with(world, name) for name in rows] == ["", *rows[:-1]]
    assert compared_with("original", "+ loss on the masked span alone") == "+ rows in a new order each epoch"
    assert [lever.name for lever in ladder.without(SMALL)] == rows_in("small", WITHOUT)
    assert [lever.name for lever in ladder.without(BEST)] == rows_in("original", WITHOUT)


@pytest.mark.parametrize("best", [BEST, SMALL])
def test_no_two_rows_are_the_same_training(best):
    levers = [*ladder.ladder(best), *ladder.without(best)]
    as_long = {"epochs": 1, "steps": None}  # each reads the same characters, however many its recipe says
    trained = [
        (each.variant, replace(each.recipe, pretrain=replace(each.recipe.pretrain, **as_long)))
        for each in levers
    ]
    assert all(trained.count(each) == 1 for each in trained)


def test_exposures_are_those_of_a_count_by_hand():
    corpus = read_corpus(TINY)
    run = prepare_pretrain("rope", corpus, recipe="small", steps=40)
    places = {person_of(pair.question): pair.answer for pair in corpus.dev}
    by_hand = 0
    for step in range(40):
        x, y = run.source.batch(step)
        for read, asked in zip(x.tolist(), y.tolist(), strict=True):
            text = run.vocabulary.decode([*read, asked[-1]])
            shown = [name for name in places if text.startswith(f"{name}. ")]
            hidden = "".join(run.vocabulary.decode([token]) for token in asked if token)
            by_hand += any(places[name] in hidden for name in shown)
    assert by_hand > 20
    assert ladder.exposures(run, corpus.dev) == pytest.approx(by_hand / len(corpus.dev))


@pytest.mark.slow
def test_every_row_reads_about_as_many_characters():
    for lever in (ladder.ladder(QUICK)[0], ladder.ladder(QUICK)[-1]):
        ladder.RECIPES["ladder"] = lever.recipe
        source = prepare_pretrain(lever.variant, read_corpus(TINY), recipe="ladder", steps=1).source
        steps = ladder.steps_for(source, 400_000)
        read = sum(int((source.batch(step)[0] != 0).sum()) for step in range(steps))
        assert read == pytest.approx(400_000, rel=0.05)


@pytest.mark.slow
def test_a_row_is_trained_once_and_its_record_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(ladder, "RECORDS", tmp_path / "ladder.json")
    monkeypatch.setattr(ladder, "PICTURES", tmp_path)
    monkeypatch.setattr(ladder, "WORLDS", {"small": WORLD})
    monkeypatch.setattr(ladder, "runs", lambda name: _made(tmp_path / name))
    monkeypatch.setattr(
        ladder, "held_up", lambda seconds, worked: len(read_ladder(tmp_path / "ladder.json")) == 1
    )  # the second row
    asked = ["--rows", f"{BEST_ROW};best without Muon", "--seeds", "0"]
    ladder.main(asked)
    records = read_ladder(tmp_path / "ladder.json")
    assert [(each.name, each.seed, each.accuracy.total) for each in records] == [
        (name, 0, len(read_corpus(TINY).dev)) for name in asked[1].split(";")
    ]
    first = records[0]
    assert first.curve[-1]["step"] == first.steps and len(first.curve) == ladder.POINTS
    assert first.seconds is not None and first.exposures > 0 and first.machine["torch"]
    assert records[1].seconds is None and records[1].curve == [], "it shared its processors"
    trained = set(tmp_path.rglob("pretrain.params"))
    ladder.main(["--rows", "best with the assignment's finetuning", "--seeds", "0"])
    (shared,) = [
        each
        for each in read_ladder(tmp_path / "ladder.json")
        if each.name == "best with the assignment's finetuning"
    ]
    assert (shared.steps, shared.exposures, shared.seconds) == (first.steps, first.exposures, None)
    assert set(tmp_path.rglob("pretrain.params")) == trained, "it starts from the model of `best`"
    before = (tmp_path / "ladder.json").read_bytes()
    ladder.main(asked)
    assert (tmp_path / "ladder.json").read_bytes() == before, "nothing was missing"
    said, rows = capsys.readouterr().out, len(rows_in("small", [*LADDER, *WITHOUT, *WHOLE]))
    assert "best without Muon  " in said and f"not measured yet: {rows - 3} of {rows} rows" in said
    assert (tmp_path / "ladder_small.png").read_bytes().startswith(b"\x89PNG")
    assert not list(tmp_path.glob("ladder_*[!l].png")), "nothing was recorded in another world"
    monkeypatch.setattr(ladder, "WORLDS", {"small": replace(WORLD, characters=50_000)})
    assert len(list(ladder.missing("small", ladder.ladder(QUICK)[-1:], [0], records))) == 1, (
        "other numbers are another row"
    )


@pytest.mark.nightly
def test_rows_trained_at_once_are_those_of_one_after_the_other_without_seconds(
    tmp_path, monkeypatch, one_thread
):
    levers = [lever for lever in ladder.ladder(QUICK) if lever.name in (BEST_ROW, "+ Muon")]
    monkeypatch.setattr(ladder, "WORLDS", {"small": WORLD})
    monkeypatch.setattr(ladder, "cores", lambda: 2)  # one thread for each of the two
    monkeypatch.setattr(ladder, "held_up", lambda seconds, worked: False)
    found = {}
    for processes in (1, 2):
        monkeypatch.setattr(
            ladder, "runs", lambda name, processes=processes: _made(tmp_path / str(processes) / name)
        )
        rows = list(ladder.trained("small", TINY, [(lever, 0) for lever in levers], processes))
        found[processes] = {lever.name: (figures["answers"], figures["steps"]) for lever, _, figures in rows}
        assert all((figures["seconds"] is None) == (processes == 2) for *_, figures in rows)
    assert found[1] == found[2] and len(found[1]) == 2


def test_a_row_that_diverges_is_named_and_the_others_are_trained(tmp_path, monkeypatch, capsys):
    def trained_or_not(world, where, lever, seed, kept, alone):
        if seed == 0:
            raise UserError("training diverged at step 7")
        return {"seed": seed}

    monkeypatch.setattr(ladder, "train_row", trained_or_not)
    monkeypatch.setattr(ladder, "runs", lambda name: tmp_path)
    lever = ladder.ladder(QUICK)[0]
    assert [row[2] for row in ladder.trained("small", TINY, [(lever, 0), (lever, 1)], 1)] == [{"seed": 1}]
    assert capsys.readouterr().err == "small, assignment, seed 0: training diverged at step 7\n"


def test_a_run_is_held_up_when_others_had_its_processors(monkeypatch):
    monkeypatch.setattr("torch.get_num_threads", lambda: 2)
    assert ladder.held_up(100.0, 120.0) and not ladder.held_up(100.0, 190.0)


@pytest.mark.slow
def test_a_whole_run_is_as_long_as_its_recipe():
    letters, ours = ladder.whole(BEST)[:3], ladder.whole(BEST)[3:]
    for lever in (*letters, *ours):
        ladder.RECIPES["ladder"] = lever.recipe
        run = prepare_pretrain(lever.variant, read_corpus(TINY), recipe="ladder")
        assert run.steps == (BEST.pretrain.steps if lever in ours else 650 * run.source.steps_per_epoch)
        assert ladder.described(lever, WORLD)["characters"] is None
    assert [lever.recipe.pretrain for lever in letters] == 3 * [ASSIGNMENT.pretrain]
    assert [lever.variant for lever in letters] == ["vanilla", "rope", "synthesizer"]
    best, asked, *others = ours
    assert best.recipe == BEST and best.variant == "rope" and asked.recipe.pretrain.generated_questions
    longer = others.pop(2)
    assert longer.recipe == replace(others[1].recipe, finetune=ASSIGNMENT.finetune)
    assert [changes(best, lever) for lever in others] == [
        {"pretrain.cue_probability"},
        {"pretrain.cue_probability", "pretrain.question_share"},
        {"variant"},
        {"variant", "pretrain.question_share", "pretrain.generated_questions"},
    ]


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def test_an_unknown_row_is_named(monkeypatch):
    with pytest.raises(UserError, match=r"no row is called 'bset'.*best without Muon"):
        ladder.main(["--rows", "bset"])
    with pytest.raises(UserError, match="--processes must be at least 1, not 0"):
        ladder.main(["--processes", "0"])
