"""The original handout's commands with `kqa` in front, and everything a person can get wrong with them."""

from __future__ import annotations

import dataclasses
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from kqa_core.model import checkpoint
from kqa_core.model.config import POSITIONS, GPTConfig
from kqa_core.model.head_fusion import FUSIONS
from kqa_core.model.variant_registry import find_variant, variant_names
from kqa_core.text.corpus import read_pairs
from kqa_core.training.recipes import ASSIGNMENT, RECIPES

pytestmark = pytest.mark.slow

Command = Callable[[str], tuple[int, str, str]]

SMALLEST = dataclasses.replace(  # the assignment's recipe with a model and a length that a test can wait for
    ASSIGNMENT,
    pretrain=dataclasses.replace(ASSIGNMENT.pretrain, epochs=1, batch_size=32),
    finetune=dataclasses.replace(ASSIGNMENT.finetune, epochs=1),
    scratch=dataclasses.replace(ASSIGNMENT.scratch, epochs=2),
    model={"n_layer": 1, "n_head": 2, "d_model": 16},
)
# as deep as a perceiver must be
DEEPER = dataclasses.replace(SMALLEST, model={**SMALLEST.model, "n_layer": 2})


@pytest.fixture
def here(world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the four files, and the assignment's recipe in little."""
    for file in world.iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(RECIPES, "assignment", SMALLEST)
    return tmp_path


@pytest.fixture
def kqa(here: Path, kqa_in_process: Callable[..., Any]) -> Command:
    """Run a command line in this process: exit status, stdout, stderr."""

    def run(line: str) -> tuple[int, str, str]:
        status, printed = kqa_in_process(*shlex.split(line))
        return status, printed.out, printed.err

    return run


@pytest.mark.parametrize("variant", ["vanilla", "synthesizer", "rope"])
def test_every_command_of_the_handout_works(here: Path, kqa: Command, variant: str) -> None:
    evaluations = [
        ("nopretrain", "model", "birth_dev.tsv", "nopretrain.dev"),
        ("nopretrain", "model", "birth_test_inputs.tsv", "nopretrain.test"),
        ("pretrain", "finetune", "birth_dev.tsv", "pretrain.dev"),
        ("pretrain", "finetune", "birth_test_inputs.tsv", "pretrain.test"),
    ]
    training = [
        (
            f"finetune {variant} wiki.txt --writing_params_path {variant}.model.params --finetune_corpus_path"
            " birth_places_train.tsv"
        ),
        f"pretrain {variant} wiki.txt --writing_params_path {variant}.pretrain.params",
        (
            f"finetune {variant} wiki.txt --reading_params_path {variant}.pretrain.params "
            f"--writing_params_path {variant}.finetune.params --finetune_corpus_path birth_places_train.tsv"
        ),
    ]
    for line in training:
        status, out, _ = kqa(line)
        assert status == 0
        assert "parameters" in out
    for _, params, questions, name in evaluations:
        outputs = here / f"{variant}.{name}.predictions"
        status, out, _ = kqa(
            f"evaluate {variant} wiki.txt --reading_params_path {variant}.{params}.params "
            f"--eval_corpus_path {questions} --outputs_path {outputs.name}"
        )
        assert status == 0
        assert len(outputs.read_text(encoding="utf-8").splitlines()) == len(read_pairs(here / questions))
        told = f"Predictions written to {outputs.name}; no targets provided"
        assert ("out of 12: " if "dev" in questions else told) in out
    assert checkpoint.load(here / f"{variant}.pretrain.params").recipe == "assignment"


def test_the_commands_of_the_handout_of_2023_work(
    here: Path, kqa: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RECIPES, "assignment", DEEPER)
    for line in (
        "pretrain perceiver wiki.txt --bottleneck_dim 16 --pretrain_lr 6e-3 --writing_params_path p",
        "finetune perceiver wiki.txt --bottleneck_dim 16 --reading_params_path p --writing_params_path f"
        " --finetune_corpus_path birth_places_train.tsv --finetune_lr 5e-4 --tb_expt_name mine",
    ):
        status, out, _ = kqa(line)
        assert status == 0 and out.count("no TensorBoard log is written") == line.count("--tb_expt_name")
    read = [checkpoint.load(here / name).notes["run"]["phase"]["optimizer"]["rate"] for name in "pf"]
    assert read == [6e-3, 5e-4]


def test_every_variant_is_listed_with_what_it_computes(kqa: Command) -> None:
    status, out, _ = kqa("variants")
    listed = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert status == 0 and listed == {name: find_variant(name).summary for name in variant_names()}
    assert "softmax" in listed["vanilla"] and "leaks the future" in listed["linformer"]


def test_the_recipes_seed_and_length_can_be_chosen(
    here: Path, kqa: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RECIPES, "small", dataclasses.replace(RECIPES["small"], model=SMALLEST.model))
    read = "pretrain rope wiki.txt --finetune_corpus_path birth_places_train.tsv --writing_params_path p"
    assert kqa(f"{read} --recipe small --seed 5 --steps 2")[0] == 0
    found = checkpoint.load(here / "p")
    assert (found.recipe, found.seed, found.step) == ("small", 5, 2)
    tune = (
        "finetune rope wiki.txt --reading_params_path p --writing_params_path f --finetune_corpus_path"
        " birth_places_train.tsv"
    )
    assert kqa(f"{tune} --recipe small --epochs 1")[0] == 0
    assert checkpoint.load(here / "f").model.config == found.model.config


SHAPES = [  # variant, flags, what the checkpoint's config then holds
    ("vanilla", "--positions sinusoidal --fusion shuffle", {"positions": "sinusoidal", "fusion": "shuffle"}),
    ("vanilla", "--positions none --fusion norm-reweight", {"positions": "none", "fusion": "norm-reweight"}),
    ("vanilla", "--positions rotary --fusion shift", {"positions": "rotary", "fusion": "shift"}),
    ("vanilla", "", {"positions": "variant", "fusion": "concat"}),
    ("perceiver", "--bottleneck_dim 6", {"bottleneck_dim": 6}),
    ("linformer", "--linformer_rank 5", {"linformer_rank": 5}),
    (
        "bigbird",
        "--bigbird_window 3 --bigbird_global 1 --bigbird_random 0",
        {"bigbird_window": 3, "bigbird_random": 0},
    ),
    ("random_synthesizer", "--synthesizer_fixed", {"synthesizer_fixed": True}),
    ("factorised_random_synthesizer", "--synthesizer_rank 2", {"synthesizer_rank": 2}),
    ("factorised_synthesizer", "--fusion norm-reweight-causal", {"fusion": "norm-reweight-causal"}),
]


@pytest.mark.parametrize(
    ("variant", "flags", "holds"), SHAPES, ids=[f"{variant} {flags}" for variant, flags, _ in SHAPES]
)
def test_the_models_shape_can_be_chosen_and_goes_from_command_to_command(
    here: Path,
    kqa: Command,
    monkeypatch: pytest.MonkeyPatch,
    variant: str,
    flags: str,
    holds: dict[str, object],
) -> None:
    monkeypatch.setitem(RECIPES, "assignment", DEEPER)
    assert kqa(f"pretrain {variant} wiki.txt --writing_params_path p --steps 2 {flags}")[0] == 0
    found = checkpoint.load(here / "p")
    assert {name: getattr(found.model.config, name) for name in holds} == holds
    assert found.notes["run"]["config"] == dataclasses.asdict(found.model.config)
    tune = f"finetune {variant} wiki.txt --finetune_corpus_path birth_places_train.tsv --steps 1"
    # given again, as the handout does
    assert kqa(f"{tune} --reading_params_path p --writing_params_path f {flags}")[0] == 0
    assert checkpoint.load(here / "f").model.config == found.model.config
    assert kqa(f"{tune} --writing_params_path new {flags}")[0] == 0  # from nothing
    assert checkpoint.load(here / "new").model.config == found.model.config
    (here / "two.tsv").write_text(
        "".join((here / "birth_dev.tsv").read_text(encoding="utf-8").splitlines(True)[:2])
    )
    for again in ("", flags):
        ask = f"evaluate {variant} wiki.txt --reading_params_path f --eval_corpus_path two.tsv"
        status, out, _ = kqa(f"{ask} {again}")
        assert (status, "out of 2: " in out) == (0, True)


def test_another_shape_starts_as_a_model_of_that_seed_starts(here: Path, kqa: Command) -> None:
    """Same seed, same first weights: a shape differs from another in what it says and in nothing else."""
    lines = {"p": "", "q": "--fusion concat --positions learned", "r": "--fusion shift"}
    for name, flags in lines.items():
        assert kqa(f"pretrain vanilla wiki.txt --writing_params_path {name} --steps 1 {flags}")[0] == 0
    p, q, r = (checkpoint.load(here / name) for name in lines)
    assert (p.model.head.weight == q.model.head.weight).all()
    assert p.notes["losses"] == q.notes["losses"] != r.notes["losses"]


def test_running_a_finished_command_again_replaces_its_model(here: Path, kqa: Command) -> None:
    line = "pretrain vanilla wiki.txt --writing_params_path m"
    assert kqa(line)[0] == 0
    first = (here / "m" / "model.safetensors").read_bytes()
    assert kqa(line)[0] == 0
    assert (here / "m" / "model.safetensors").read_bytes() == first


NEW = "pretrain vanilla wiki.txt --writing_params_path m"
TUNE = "finetune vanilla wiki.txt --writing_params_path m --finetune_corpus_path"
READ = f"{TUNE} birth_places_train.tsv --reading_params_path"
ASK = "evaluate vanilla wiki.txt --eval_corpus_path birth_dev.tsv --outputs_path out --reading_params_path"
BAD = [
    (NEW.replace("vanilla", "vanila"), "no variant is called 'vanila': did you mean vanilla?"),
    (f"{NEW} --recipe bset", "no recipe is called 'bset': did you mean best?"),
    ("pretrain vanilla nowhere.txt --writing_params_path m", "nowhere.txt: no such file"),
    ("pretrain vanilla . --writing_params_path m", ".: a text file was expected, this is a directory"),
    ("pretrain vanilla latin1.txt --writing_params_path m", "latin1.txt: UTF-8 was expected"),
    ("pretrain vanilla utf16.txt --writing_params_path m", "utf16.txt: UTF-8 was expected, this is UTF-16"),
    ("pretrain vanilla empty.txt --writing_params_path m", "empty.txt: "),
    ("pretrain vanilla wiki.txt --writing_params_path nowhere/m", "nowhere/m: there is no directory nowhere"),
    ("pretrain vanilla wiki.txt --writing_params_path wiki.txt", "a checkpoint is a directory, this is a"),
    ("pretrain vanilla wiki.txt --writing_params_path photos", "photos: this directory holds something else"),
    ("pretrain vanilla wiki.txt --writing_params_path wiki.txt/m", "wiki.txt/m: cannot be written"),
    ("pretrain vanilla wiki.txt --writing_params_path m --epochs 0", "epochs must be at least 1, not 0"),
    (f"{NEW} --epochs 1 --steps 1", "both epochs and steps were given"),
    (f"{TUNE} nowhere.tsv", "nowhere.tsv: no such file"),
    (f"{TUNE} tabs.tsv", "tabs.tsv, line 2: one tab was expected"),
    (f"{TUNE} half.tsv", "half.tsv, line 2: "),
    (f"{TUNE} birth_test_inputs.tsv", "has no answer to learn from"),
    (f"{TUNE} long.tsv", "the block holds 128"),
    (f"{TUNE} letters.tsv", "'Ж'"),
    (f"{TUNE} birth_places_train.tsv --reading_params_path nowhere", "nowhere: no such checkpoint"),
    (f"{READ} wiki.txt", "wiki.txt: a checkpoint directory was expected"),
    (f"{TUNE} birth_places_train.tsv --reading_params_path photos", "photos: not a checkpoint of kqa"),
    (f"{TUNE} birth_places_train.tsv --reading_params_path damaged", "model.safetensors: damaged"),
    (f"{TUNE} birth_places_train.tsv --reading_params_path roped", "roped: holds a rope model, not vanilla"),
    (f"{TUNE} birth_places_train.tsv --reading_params_path foreign", "foreign: knows other characters"),
    (f"{ASK} nowhere", "nowhere: no such checkpoint"),
    (f"{ASK} damaged", "model.safetensors: damaged"),
    (f"{ASK} roped", "roped: holds a rope model, not vanilla"),
    (f"{ASK} foreign", "foreign: knows other characters"),
    (f"{ASK} good --eval_corpus_path nowhere.tsv", "nowhere.tsv: no such file"),
    (f"{ASK} good --eval_corpus_path letters.tsv", "'Ж'"),
    (f"{ASK} good --outputs_path photos", "photos: a file was to be written here, this is a directory"),
    (f"{ASK} good --outputs_path nowhere/out", "nowhere/out: there is no directory nowhere"),
    (f"{NEW} --positions sinusoid", "positions must be one of learned, sinusoidal,"),
    (f"{NEW} --fusion mean", "fusion must be one of concat, shuffle, shift,"),
    (f"{NEW.replace('vanilla', 'rope')} --positions none", "rope means rotary positions, not none"),
    (f"{NEW.replace('vanilla', 'synthesizer')} --positions rotary", "synthesizer does not support"),
    (f"{NEW.replace('vanilla', 'linformer')} --linformer_rank 0", "linformer_rank must be at least 1, not 0"),
    ("pretrain perceiver wiki.txt --writing_params_path m", "n_layer must be ≥ 2, not 1"),
    (f"{READ} good --fusion shift", "fusion concat, not shift: omit --fusion, or give another path"),
    (f"{ASK} good --positions none", "a model with positions learned, not none: omit --positions"),
    (f"{ASK} good --bottleneck_dim 5", "good: holds a model with bottleneck_dim 32, not 5"),
    (f"{ASK} good --outputs_path /proc/out", "/proc/out: cannot be written"),
]


@pytest.fixture(scope="module")
def models(world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Checkpoints: a good one, and three that do not fit."""
    import torch

    from kqa_core.model.config import GPTConfig
    from kqa_core.model.gpt import GPT
    from kqa_core.text.vocabulary import Vocabulary

    folder = tmp_path_factory.mktemp("models")
    own = Vocabulary.from_text((world / "wiki.txt").read_text(encoding="utf-8"))
    for name, variant, vocabulary in [
        ("good", "vanilla", own),
        ("damaged", "vanilla", own),
        ("roped", "rope", own),
        ("foreign", "vanilla", Vocabulary.from_text("abc")),
    ]:
        torch.manual_seed(0)
        model = GPT(GPTConfig(len(vocabulary), n_layer=1, n_head=2, d_model=16, variant=variant))
        checkpoint.save(folder / name, checkpoint.Checkpoint(model, vocabulary))
    weights = folder / "damaged" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    return folder


@pytest.mark.parametrize(("line", "said"), BAD, ids=[line for line, _ in BAD])
def test_a_mistake_ends_in_one_line_and_leaves_nothing(
    here: Path, kqa: Command, models: Path, line: str, said: str
) -> None:
    for model in models.iterdir():
        shutil.copytree(model, here / model.name)
    (here / "photos").mkdir()
    (here / "photos" / "cat.jpg").write_text("cat")
    (here / "latin1.txt").write_bytes("Ada. Ada was born in Zürich .\n".encode("latin-1"))
    (here / "utf16.txt").write_text("Ada. Ada was born in Bern .\n", encoding="utf-16")
    (here / "empty.txt").write_text("")
    (here / "tabs.tsv").write_text("Where was Ada born?\tBern\nWhere was\tEva\tborn?\n")
    (here / "half.tsv").write_text("Where was Ada born?\tBern\nWhere was Eva born?\n")
    (here / "long.tsv").write_text(f"Where was {'Ada ' * 40}born?\tLondon\n")
    (here / "letters.tsv").write_text("Where was Жанна born?\tLondon\n", encoding="utf-8")
    before = sorted(here.rglob("*"))
    if "/proc/" in line and not Path("/proc").is_dir():
        pytest.skip("this system has no /proc, which no one may write to")
    status, out, err = kqa(line)
    assert status == 2
    assert out == ""
    [told] = err.splitlines()
    assert told.startswith("kqa: ")
    assert said in told
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("line", ["pretrain vanilla wiki.txt", "finetune vanilla", "evaluate rope wiki.txt"])
def test_a_missing_flag_is_named(kqa: Command, line: str) -> None:
    status, _, err = kqa(line)
    assert status == 2
    assert "Missing" in err


@pytest.mark.parametrize("command", ["pretrain", "finetune", "evaluate"])
def test_help_shows_an_example(kqa: Command, command: str) -> None:
    status, out, _ = kqa(f"{command} --help")
    assert status == 0
    assert f"Example: kqa {command} vanilla wiki.txt" in " ".join(out.split())


@pytest.mark.parametrize("command", ["pretrain", "finetune", "evaluate"])
def test_every_field_of_the_config_that_has_help_is_a_flag(kqa: Command, command: str) -> None:
    _, out, _ = kqa(f"{command} --help")
    told = " ".join(out.split())
    flags = {field.name: field.metadata["help"] for field in fields(GPTConfig) if "help" in field.metadata}
    assert {field.name for field in fields(GPTConfig)} - set(flags) == {"vocab_size", "variant"}, (
        "corpus and argument give these"
    )
    for name, text in flags.items():
        assert f"--{name} " in told and text in told
    assert all(name in flags["fusion"] for name in FUSIONS)
    assert all(name in flags["positions"] for name in POSITIONS)


def test_sizes_are_flags_too_and_a_checkpoint_must_agree(here: Path, kqa: Command) -> None:
    size = "--n_layer 2 --n_head 4 --d_model 8 --embedding_dropout 0"
    assert kqa(f"pretrain vanilla wiki.txt --writing_params_path m --steps 1 {size}")[0] == 0
    config = checkpoint.load(here / "m").model.config
    assert (config.n_layer, config.n_head, config.d_model, config.embedding_dropout) == (2, 4, 8, 0.0)
    ask = "evaluate vanilla wiki.txt --eval_corpus_path birth_dev.tsv --reading_params_path m"
    assert kqa(f"{ask} {size}")[0] == 0
    status, _, err = kqa(f"{ask} --n_layer 3")
    assert status == 2 and "m: holds a model with n_layer 2, not 3: omit --n_layer" in err


def test_help_does_not_wait_for_torch() -> None:
    script = (
        "import sys\n"
        "from kqa_core import cli\n"
        "cli._register()\n"
        "assert 'torch' not in sys.modules, 'torch is imported'"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
