"""The fresh answers of tests/fresh: every checked exercise has some, and each is judged as it is named.

A right and a wrong one of a thirtieth of the exercises are judged here without the sandbox, and those of
one in 60 in it. Nightly, all go through the sandbox.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
from collections import Counter
from collections.abc import Collection
from dataclasses import replace

import pytest
from portions import portion

from autograder.answer_key import find_checked
from autograder.course.answer_files import FileAnswer, answers_in
from autograder.course.try_answers import try_answers
from autograder.grading.config import JudgeConfig
from autograder.judge.results import ExerciseResult
from autograder.paths import COURSE
from autograder.sandbox.unconfined import TIER
from benchmarks.fresh import FRESH, ROUNDS
from benchmarks.known_answers import drawn_again, told
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import NotYet, Verdict, right
from kqa_core.check.registry import all_exercises

CHECKED = {exercise.id: exercise for exercise in all_exercises() if not exercise.written}
FEWEST = {True: 4, False: 6}  # right and wrong ones of an exercise
ALL = 3499  # answers; none is lost when they are moved
PARTS = 4  # the answers are judged in so many tests, which run side by side


@functools.cache
def fresh() -> list[FileAnswer]:
    """All of them; reading them takes half a second."""
    return answers_in(FRESH)


@pytest.mark.slow
def test_every_checked_exercise_has_enough_fresh_answers_of_both_kinds() -> None:
    counts = Counter((answer.exercise, answer.right) for answer in fresh())
    assert {exercise for exercise, _ in counts} == CHECKED.keys()
    assert not {name for name in CHECKED for kind, least in FEWEST.items() if counts[name, kind] < least}
    assert len({(answer.exercise, answer.place.partition("::")[2]) for answer in fresh()}) == len(fresh())
    assert len(fresh()) >= ALL


@pytest.mark.parametrize("round_", ROUNDS)
def test_every_checked_exercise_has_a_first_measurement_of_each_round(round_: str) -> None:
    measured = json.loads((FRESH / "rounds.json").read_text(encoding="utf-8"))
    assert measured.keys() == CHECKED.keys()
    for rounds in measured.values():
        assert set(rounds[round_]) == {"right", "wrong"}
        assert all(0 <= bad <= total for bad, total in rounds[round_].values())


@pytest.mark.slow
@pytest.mark.parametrize(("one_in", "tier"), [(30, TIER), (60, None)], ids=["unconfined", "sandbox"])
def test_a_right_and_a_wrong_fresh_answer_are_judged_as_they_are_named(one_in: int, tier: str | None) -> None:
    files = [*FRESH.glob("*.py"), *COURSE.glob("source/*/exercises/*.py"), *COURSE.glob("keys/*/*.py")]
    exercises = portion(sorted(CHECKED), one_in, *sorted(files))
    answers = first_of(exercises)
    assert len(answers) == 2 * len(exercises)
    assert misjudged(answers, tier) == {}


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_every_fresh_answer_is_judged_as_it_is_named_in_the_sandbox(part: int) -> None:
    assert misjudged(some(sorted(CHECKED)[part::PARTS]), None) == {}


# of these every clause of the statement is tested in the notebook
STRICT = (
    *("attention_scores", "average_two", "average_two_rate", "bigbird_mask", "copy_one"),
    *("corrupt_span", "evaluate_accuracy", "exact_logits", "exposures", "gpt_forward"),
    *("knowledge_ceiling", "linformer_leaks", "load_pretrained", "london_baseline", "loss_positions"),
    *("lr_schedule", "mend_the_leak", "merge_states", "online_softmax", "perplexity", "pre_ln_block"),
    *("adagrad_step", "bag_ceiling", "causal_self_attention", "cost", "gather_corruption", "interval95"),
    "llama_states",
    *("masked_attention", "mcnemar", "name_bias", "neutral_names", "one_tile", "patch_heads"),
    *("perceiver_down_up", "planted_agreement", "pretraining_batch", "random_synthesizer"),
    *("sample_keys", "synthesizer_attention", "synthesizer_layer"),
    *("predict_place", "reweight_heads", "scaling_variance", "sinusoidal_positions", "train", "translate"),
    "variance_ratio",
    *("cached_attention", "dequantise_q4_1", "encode_bpe", "held_out_head", "induction_mask"),
    *("is_it_active", "permutation_p", "top_k_probabilities", "two_head_failure"),
)


@pytest.mark.slow
def test_few_known_wrong_answers_pass_a_visible_check_and_none_is_accused_wrongly() -> None:
    files = [*FRESH.glob("*.py"), *COURSE.glob("source/*/exercises/*.py"), *COURSE.glob("keys/*/*.py")]
    exercises = portion(list(STRICT), len(STRICT), *sorted(files))  # one: it takes ten seconds
    everyone = [told(CHECKED[name], some([name])) for name in exercises]
    assert all(one.count > 25 for one in everyone)
    assert {one.exercise.id: one.passing for one in everyone if not one.allowed} == {}
    assert {one.exercise.id: one.accused for one in everyone if one.accused} == {}
    assert {one.exercise.id: one.refused for one in everyone if one.refused} == {}


def test_a_right_answer_is_refused_if_the_hidden_check_refuses_it_on_some_draws_or_breaks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hidden(answer: Answer, rng: random.Random) -> Verdict:
        lot = next(lots)
        if lot == 3:
            raise NotYet("refused")
        return right() if lot != 5 else 1 / 0  # type: ignore[return-value]

    lots, key = itertools.count(), replace(find_checked("weighted_average"), hidden=hidden)
    monkeypatch.setattr("benchmarks.known_answers.find_checked", lambda name: key)
    count, refused = drawn_again("weighted_average", 0.01)
    assert count > 5 and [said.rpartition(": ")[2] for said in refused] == ["refused", "division by zero"]


def some(exercises: Collection[str]) -> list[FileAnswer]:
    """The fresh answers to these exercises."""
    return [answer for answer in fresh() if answer.exercise in exercises]


def first_of(exercises: Collection[str]) -> list[FileAnswer]:
    """The first right and the first wrong answer to each of these exercises."""
    first: dict[tuple[str, bool | None], FileAnswer] = {}
    for answer in some(exercises):
        first.setdefault((answer.exercise, answer.right), answer)
    return list(first.values())


def misjudged(answers: list[FileAnswer], tier: str | None) -> dict[str, str]:
    """Of these answers, those that are not judged as they are named, each with what was said of it."""
    results = list(try_answers(answers, JudgeConfig(workers=1, tier=tier)))
    assert len(results) == len(answers)
    return {
        answer.place: str(result)
        for answer, result in results
        if not isinstance(result, ExerciseResult) or not answer.as_named(result.outcome)
    }
