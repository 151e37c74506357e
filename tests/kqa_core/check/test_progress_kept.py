"""What is kept of a student's work: progress survives restarts, damage and two notebooks at once, and later
notebooks use right answers of earlier ones (`kept`).
"""

from __future__ import annotations

import json
import multiprocessing
import random
from pathlib import Path
from typing import Any

import pytest
import torch

from autograder.answer_key import answer_source, find_checked
from kqa_core.check import saved_answers
from kqa_core.check.exercise import Outcome
from kqa_core.check.progress_store import ProgressStore, Record, folder
from kqa_core.exercise_helpers.kept_classes import LibraryBlock, LibraryGPT, kept_classes
from kqa_core.model.attention import CausalSelfAttention
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    monkeypatch.delenv("KQA_FOLDER", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def test_a_new_store_reads_what_another_wrote(tmp_path):
    ProgressStore(tmp_path).note_check("average_two", Outcome.NOT_YET)
    ProgressStore(tmp_path).note_check("average_two", Outcome.RIGHT)
    ProgressStore(tmp_path).note_check("average_two", Outcome.ERROR)
    assert ProgressStore(tmp_path).read() == {"average_two": Record(Outcome.RIGHT, Outcome.ERROR, tries=3)}


DAMAGES = [b"", b"{", b"\xff\xfe\x00", b"[]", b"[" * 100_000]
DAMAGES += [b'{"format": 99, "exercises": {}}', b'{"format": 1, "exercises": {"a": 1}}']


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_set_aside_and_named(tmp_path, damage):
    (tmp_path / "progress.json").write_bytes(damage)
    store = ProgressStore(tmp_path)
    store.note_check("copy_one", Outcome.RIGHT)
    aside = tmp_path / "progress.json.damaged-1"
    assert aside.read_bytes() == damage
    assert len(store.notices) == 1 and str(aside) in store.notices[0]
    assert ProgressStore(tmp_path).read() == {"copy_one": Record(Outcome.RIGHT, Outcome.RIGHT, tries=1)}


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path):
    for content in (b"one", b"two"):
        (tmp_path / "progress.json").write_bytes(content)
        ProgressStore(tmp_path).read()
    assert (tmp_path / "progress.json.damaged-1").read_bytes() == b"one"
    assert (tmp_path / "progress.json.damaged-2").read_bytes() == b"two"


def test_a_folder_that_cannot_be_written_is_named_and_the_check_goes_on(tmp_path):
    (tmp_path / "blocked").write_text("a file where the folder should be")
    store = ProgressStore(tmp_path / "blocked")
    store.note_check("copy_one", Outcome.RIGHT)
    assert store.take_hint("copy_one", 3) == 1
    assert "cannot be kept" in store.notices[0] and str(tmp_path / "blocked") in store.notices[0]


def test_an_unreadable_file_is_not_overwritten(tmp_path):
    (tmp_path / "progress.json").mkdir()  # reading it is an OSError, for root too
    store = ProgressStore(tmp_path)
    store.note_check("copy_one", Outcome.RIGHT)
    assert (tmp_path / "progress.json").is_dir()
    assert "cannot be kept" in store.notices[0]


def _many(place: str, name: str) -> None:
    for _ in range(40):
        ProgressStore(Path(place)).note_check(name, Outcome.NOT_YET)


@pytest.mark.slow
def test_two_notebooks_at_once_lose_nothing(tmp_path):
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_many, args=(str(tmp_path), name)) for name in ("copy_one", "average_two")
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    records = ProgressStore(tmp_path).read()
    assert {name: record.tries for name, record in records.items()} == {"copy_one": 40, "average_two": 40}


def test_a_file_is_never_half_written(tmp_path, monkeypatch):
    ProgressStore(tmp_path).note_check("copy_one", Outcome.RIGHT)
    before = (tmp_path / "progress.json").read_bytes()

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "chmod", stop)  # by then it is written, beside the file
    with pytest.raises(KeyboardInterrupt):
        ProgressStore(tmp_path).note_check("copy_one", Outcome.ERROR)
    assert (tmp_path / "progress.json").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "progress.json"]


def test_notebooks_of_one_working_copy_share_one_folder(tmp_path, monkeypatch):
    (tmp_path / ".kqa").mkdir()
    (tmp_path / "01_attention").mkdir()
    monkeypatch.chdir(tmp_path / "01_attention")
    assert folder() == tmp_path / ".kqa"


def test_a_folder_that_the_environment_names_may_begin_with_the_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KQA_FOLDER", "~/.kqa")
    assert folder() == tmp_path / ".kqa"


def test_without_one_the_folder_is_beside_the_notebook(tmp_path, monkeypatch):
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert folder() == deep / ".kqa"


def code(source, **marks):
    return {
        "cell_type": "code",
        "source": source,
        "metadata": {"nbgrader": marks} if marks else {},
        "outputs": [],
    }


NAME = "weighted_average"
AVERAGED = f"def {NAME}(values, weights):\n    return averaged(values, weights)\n"
HELPER = "print('loud')\n\ndef averaged(values, weights):\n    return weights @ values\n"


def answer(name: str, source: str) -> dict[str, Any]:
    return code(source, grade_id=name, locked=False, solution=True, grade=False)


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder beside which the notebook is that runs; it holds nothing yet."""
    (tmp_path / "later").mkdir()
    monkeypatch.chdir(tmp_path / "later")
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    return tmp_path


def save(folder: Path, notebook: str, *cells: dict[str, Any], setup: str = "import torch") -> None:
    first = code(setup, grade_id="setup_1", locked=True, solution=False, grade=False)
    path = folder / notebook / f"{notebook}.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps({"cells": [first, *cells]}), encoding="utf-8")


@pytest.mark.slow
def test_a_right_answer_comes_with_what_it_needs_and_nothing_else_runs(
    beside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(
        beside,
        "00_start_here",
        code("open('ran', 'w').close()\naverages = [1]\n"),
        code(HELPER),
        answer(NAME, AVERAGED),
        answer("not_this_one", "raise SystemExit"),
    )
    before = random.getstate(), torch.get_rng_state()
    average = saved_answers.kept(NAME, None)
    assert callable(average)
    assert average(torch.eye(2), torch.tensor([0.25, 0.75])).tolist() == [0.25, 0.75]
    assert capsys.readouterr().out == ""
    assert not Path("ran").exists()
    assert random.getstate() == before[0] and torch.equal(torch.get_rng_state(), before[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            f'def {NAME}(v, w):\n    raise NotImplementedError("exercise {NAME}: replace this line with your'
            ' answer")\n',
            "it is not written yet in 00_start_here",
        ),
        (f"def {NAME}(values, weights):\n    return values.mean(dim=0)\n", "it is not right yet in 00_start"),
        (f"def {NAME}(values, weights)\n    return 1\n", "its cell stops with SyntaxError"),
        ("raise ValueError('no')\n", "its cell stops with ValueError: no"),
        (f"{NAME} = 3\n", f"its cell defines no {NAME}"),
    ],
)
def test_an_answer_that_cannot_be_used_gives_one_line_and_the_other_value(
    beside: Path, capsys: pytest.CaptureFixture[str], source: str, said: str
) -> None:
    save(beside, "00_start_here", answer(NAME, source))
    assert saved_answers.kept(NAME, len) is len
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{NAME}: {said}") and line.endswith("; the library's is used here")


@pytest.mark.slow
def test_a_notebook_that_is_not_there_or_is_none_is_said_in_one_line(
    beside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert saved_answers.kept(NAME, len) is len
    assert "there is no 00_start_here.ipynb beside this notebook" in capsys.readouterr().out
    save(beside, "00_start_here", answer("another", "x = 1"))
    assert saved_answers.kept(NAME, len) is len
    assert "has no cell for it; fetch the notebook again" in capsys.readouterr().out
    (beside / "00_start_here" / "00_start_here.ipynb").write_text("no JSON")
    assert saved_answers.kept(NAME, len) is len
    assert "cannot be read; save the notebook with Jupyter" in capsys.readouterr().out
    assert saved_answers.kept("no_such_exercise", len) is len
    assert "its notebook is not beside this one" in capsys.readouterr().out


CONFIG = GPTConfig(11, 7, n_layer=2, n_head=2, d_model=8)
TOKENS = torch.randint(11, (3, 5), generator=torch.Generator().manual_seed(1))


def logits_of(model: torch.nn.Module) -> torch.Tensor:
    """The logits with the weights of a library model that are far from its starting values."""
    torch.manual_seed(3)
    weights = {name: torch.randn_like(weight) for name, weight in GPT(CONFIG).state_dict().items()}
    model.load_state_dict(weights)
    with torch.no_grad():
        out = model.eval()(TOKENS)
    return out[0] if isinstance(out, tuple) else out


@pytest.mark.slow
def test_the_librarys_classes_with_replaceable_parts_are_the_librarys_model() -> None:
    wanted = logits_of(GPT(CONFIG))
    own = LibraryGPT(CONFIG, lambda config: LibraryBlock(config, CausalSelfAttention))
    assert torch.equal(logits_of(own), wanted)
    assert torch.equal(logits_of(LibraryGPT(CONFIG, Block)), wanted)
    fresh = LibraryGPT(CONFIG, Block).state_dict()
    assert fresh["blocks.1.mlp.0.weight"].std() < 0.03  # the starting values of the library


@pytest.mark.slow
def test_the_classes_of_notebook_04_are_the_librarys_model_too(
    beside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("MyAttention", "MyBlock", "MyGPT")
    answers = [answer(name, answer_source(name, find_checked(name).reference)) for name in names]
    setup = "import math\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn"
    save(beside, "04_build_a_transformer", *answers, setup=setup)
    attention, block, model = kept_classes()
    assert capsys.readouterr().out == ""
    assert (attention.__name__, block.__name__, model.__name__) == names
    assert not issubclass(model, GPT)
    own = model(CONFIG, lambda config: block(config, attention))
    assert torch.allclose(logits_of(own), logits_of(GPT(CONFIG)), atol=1e-4)
