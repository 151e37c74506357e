"""The rows of the tables of figures about grading, training and GPUs. No measured number is typed here."""

from __future__ import annotations

from typing import Any

from benchmarks._figure import Row, largest_class, share, shares, small_world

# names of two figures of `kernels`
TILE, SYNTHESIZER = "one tile over torch's best", "synthesizer over the literal formula"


def variants(figures: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The runs of `gpu_pretraining`, by variant."""
    return {name: run for name, run in figures.items() if isinstance(run, dict)}


def accuracy_of_run(run: dict[str, Any]) -> str:
    """Accuracy and time of a run on a GPU."""
    return f"{share((run['correct'], run['total']))}, {run['seconds']:.0f} s"


GRADING = (
    Row(
        "grading",
        "answers decided as their keys say: reference, accepted, rejected with their own feedback, untouched"
        " stub",
        ("proof",),
        lambda f: (
            f"{shares(f['reference'], f['accepted'], f['rejected'], f['untouched'])}; leaks in the students'"
            f" copy: {f['leaks']}"
        ),
        "all; 0",
        "kqa course prove",
    ),
    Row(
        "grading",
        "known wrong answers, of keys and fresh ones: pass the check in the notebook; told a mistake that"
        " they did not make; seconds of processor time to judge all known answers of an exercise",
        ("known_answers",),
        lambda f: (
            f"{f['pass the visible check']} of {f['wrong']}; {f['accused wrongly']};"
            f" {f['processor seconds an exercise']}"
        ),
        "at most 3 % of each exercise's; 0; 3",
        "kqa bench known_answers",
    ),
    Row(
        "grading",
        "right answers, of keys and fresh ones, refused by the hidden check: of all draws of its inputs",
        ("draws",),
        lambda f: f"{f['refused']} of {f['draws']}",
        "0",
        "python benchmarks/known_answers.py --draws 25",
    ),
    Row(
        "grading",
        "fresh answers: right ones refused, wrong ones accepted: first round; second round, after repairs;"
        " all of them, today",
        ("fresh",),
        lambda f: "; ".join(
            f"{share(f[when]['right'])}, {share(f[when]['wrong'])}" for when in ("first", "second", "now")
        ),
        "≤ 0.5 % of each in the second",
        "kqa bench fresh",
    ),
    Row(
        "grading",
        "answers that `kqa course try --batch FOLDER` judges in a second, without the sandbox and in it",
        ("trying",),
        lambda f: f"{f['rate']:.1f}, {f['rate_in_the_sandbox']:.1f}",
        "≥ 20 without it, on two quiet cores",
        "kqa bench trying",
    ),
    Row(
        "grading",
        "ways out of the sandbox tried, found",
        ("sandbox",),
        lambda f: f"{f['attempts']}, {f['found']}",
        "0",
        "kqa doctor --sandbox",
    ),
    Row(
        "grading",
        "hostile submissions in their expected state; marks unearned; honest neighbours changed",
        ("hostile",),
        lambda f: (
            f"{f['as_expected']} of {f['submissions']}; {f['marks_unearned']}; {f['neighbours_changed']}"
        ),
        "all; 0; 0",
        "KQA_ALL=1 pytest -s tests/hostile",
    ),
    Row(
        "grading",
        "mutants of the judge killed; shown to change nothing; alive",
        ("mutants",),
        lambda f: f"{f['killed']}, {f['equivalent']}, {f['alive']} of {f['mutants']}",
        "0 alive",
        "python tests/mutants/run_mutants.py",
    ),
    Row(
        "grading",
        "mutants of the exercises' right answers killed; shown to be right, too; alive",
        ("answer_mutants",),
        lambda f: f"{f['killed']}, {f['equivalent']}, {f['alive']} of {f['mutants']}",
        "0 alive",
        "python tests/mutants/run_answer_mutants.py",
    ),
    Row(
        "grading",
        "unusual honest submissions, and rewritten references, at full marks",
        ("honest",),
        lambda f: (
            f"{f['unusual'][0]} of {f['unusual'][1]}, {f['rewritten'][0]} of {f['rewritten'][1]} notebooks"
        ),
        "all",
        "pytest tests/honest",
    ),
    Row(
        "grading",
        "submissions a minute, against `nbgrader autograde` on the same torch notebook",
        ("grading",),
        lambda f: f"{f['ratio']:.1f} × ({f['ours_per_minute']:.0f} against {f['nbgrader_per_minute']:.0f})",
        "≥ 5 ×",
        "kqa bench grading",
    ),
    Row(
        "grading",
        "one call of a student's function, across the boundary and back",
        ("grading",),
        lambda f: f"{f['call_ms']:.2f} ms",
        "≤ 0.2 ms",
        "kqa bench grading",
    ),
    Row(
        "grading",
        "kills of coordinator, workers and fork servers while submissions are graded: lost, double;"
        " gradebook as without kills",
        ("kills",),
        lambda f: (
            f"{f['students']} submissions, {sum(f['kills'].values())} kills: {f['lost']}, {f['double']}; "
            + ("equal" if f["equal"] else "different")
        ),
        "0, 0; equal",
        "kqa bench kills",
    ),
    Row(
        "grading",
        "a class submits notebook 01 at once through the exchange, `kqa course watch`, two workers: lost,"
        " unanswered, time for the class, memory of the watcher; then 60 in one minute: the last answer",
        ("classroom",),
        lambda f: (
            f"{f['students']} students: {f['lost']}, {f['unanswered']}, {f['minutes']:.0f} minutes,"
            f" {f['memory_begin_mb']} → {f['memory_end_mb']} MB; {f['burst']}: {f['burst_worst_s'] / 60:.1f}"
            " minutes"
        ),
        "0, 0, flat; ≤ 10 minutes",
        "kqa bench classroom",
    ),
    Row(
        "grading",
        "a made-up class takes the real path: the report's index, opened in Chromium; steepest growth of a"
        " stage's time",
        ("scale",),
        largest_class,
        "≤ 2 MB, ≤ 2 s; linear",
        "kqa bench scale",
    ),
)
TRAINING = (
    Row(
        "training",
        "`make course` once set up",
        ("course",),
        lambda f: f"{f['minutes']} minutes",
        "≤ 6 minutes",
        "make course",
    ),
    Row(
        "training",
        "small world, 100 dev questions, seed 0: accuracy with pretraining, without; the ceiling",
        ("small_world",),
        lambda f: f"{small_world(f)}; {share(f['ceiling'], False)}",
        "≥ 80 %, ≤ 8 %",
        "make course",
    ),
    Row(
        "training",
        "the same on another processor (see below)",
        ("small_world_xeon",),
        small_world,
        "≥ 80 %, ≤ 8 %",
        "make course",
    ),
    Row(
        "training",
        "its training: pretraining and finetuning, and the model without pretraining",
        ("course",),
        lambda f: f"{f['training_seconds']} s, {f['without_pretraining_seconds']} s",
        "≤ 3 minutes",
        "make course",
    ),
    Row(
        "training",
        "500 prompts with cached keys and values, against one by one, same answers",
        ("decoding",),
        lambda f: f"{f['ratio']} ×",
        "≥ 20 ×",
        "kqa bench decoding",
    ),
    Row(
        "training",
        "span-corruption batches, against the per-item loop",
        ("corruption",),
        lambda f: f"{f['training_ratio']} ×",
        "≥ 20 ×",
        "kqa bench corruption",
    ),
    Row(
        "training",
        "a step of `kqa pretrain vanilla`, against the plain eager loop in float32: in float32; in bfloat16",
        ("step",),
        lambda f: f"{f['ratio']:.1f} ×; {f['ratio_bfloat16']:.1f} ×",
        "≥ 3 × in float32",
        "kqa bench step",
    ),
    Row(
        "training",
        "a step with `torch.compile`, and ours on trimmed rows, against eager (32 rows, one thread, float32)",
        ("compiled",),
        lambda f: f"{f['eager_s'] / f['compiled_s']:.2f} ×, {f['eager_s'] / f['ours_s']:.2f} ×",
        "ours faster",
        "kqa bench compiled",
    ),
)
GPU = (
    Row(
        "gpu",
        "a training step of 128 rows, against the plain eager loop in float32; its time",
        ("gpu_step",),
        lambda f: f"{f['ratio']:.1f} ×; {f['ours_ms']:.1f} ms",
        "≥ 10 ×",
        "kqa bench gpu_step",
    ),
    Row(
        "gpu",
        "650 epochs of recipe `assignment` on the original data: accuracy after finetuning, one seed; time,"
        " everything counted",
        ("gpu_pretraining",),
        lambda f: ", ".join(f"{name} {accuracy_of_run(run)}" for name, run in variants(f).items()),
        "≤ 30 s",
        "kqa bench gpu_pretraining",
    ),
    Row(
        "gpu",
        "time to an accuracy of 40.4 % on the original data; that of recipe `best` and its time, one seed",
        ("gpu_recall",),
        lambda f: f"{f['seconds_to_published'] or '—'} s; {accuracy_of_run(f['runs'][-1])}",
        "≤ 60 s; ≥ 85 %",
        "kqa bench gpu_recall",
    ),
    Row(
        "gpu",
        "our Triton kernels, both ways: softmax attention against the best of torch's, Synthesizer against"
        " its equation",
        ("kernels",),
        lambda f: f"{f[TILE]:.2f} ×, {f[SYNTHESIZER]:.2f} ×",
        "≥ 1.5 ×, ≥ 3 ×",
        "kqa bench kernels",
    ),
)
