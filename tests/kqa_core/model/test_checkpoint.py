"""Checkpoints come back bit for bit, and nothing else is taken for one."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
from pathlib import Path

import pytest
import torch

import kqa_core
from kqa_core.errors import UserError
from kqa_core.files import check_writable
from kqa_core.model import checkpoint
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.vocabulary import Vocabulary

LETTERS = Vocabulary.from_text("abc é\n")


def make(variant: str = "vanilla", seed: int = 0) -> Checkpoint:
    torch.manual_seed(seed)
    model = GPT(
        GPTConfig(vocab_size=len(LETTERS), block_size=16, n_layer=1, n_head=2, d_model=8, variant=variant)
    )
    return Checkpoint(model, LETTERS, step=7, seed=3, recipe="small", notes={"losses": [0.1, 1 / 3]})


@pytest.mark.parametrize("variant", ["vanilla", "rope", "synthesizer"])
def test_what_is_saved_comes_back(tmp_path: Path, variant: str) -> None:
    before = make(variant)
    before.optimizer = {"exp_avg/head.weight": torch.randn(8, 8), "step/head.weight": torch.tensor(7.0)}
    checkpoint.save(tmp_path / "vanilla.model.params", before)
    after = checkpoint.load(tmp_path / "vanilla.model.params")
    assert after.model.config == before.model.config
    assert after.vocabulary == before.vocabulary
    assert (after.step, after.seed, after.recipe, after.notes) == (7, 3, "small", {"losses": [0.1, 1 / 3]})
    assert after.versions == {"kqa": kqa_core.__version__, "torch": torch.__version__.split("+")[0]}
    mine, theirs = before.model.state_dict(), after.model.state_dict()
    assert mine.keys() == theirs.keys()
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)
    assert after.optimizer is not None
    assert all(torch.equal(after.optimizer[name], before.optimizer[name]) for name in before.optimizer)
    assert [path.name for path in tmp_path.iterdir()] == ["vanilla.model.params"]


def test_saving_again_replaces_and_clears_what_a_kill_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "m"
    checkpoint.save(path, make(seed=0))
    (tmp_path / ".m.new").mkdir()
    (tmp_path / ".m.new" / "half").write_text("written")
    (tmp_path / ".m.old").mkdir()
    second = make(seed=1)
    checkpoint.save(path, second)
    assert torch.equal(checkpoint.load(path).model.head.weight, second.model.head.weight)
    assert [found.name for found in tmp_path.iterdir()] == ["m"]


def test_a_kill_between_the_two_renames_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m"
    checkpoint.save(path, make())
    path.rename(tmp_path / ".m.old")
    (tmp_path / ".m.new").mkdir()
    assert checkpoint.load(path).step == 7  # reading alone finds it, too
    checkpoint.recover(path)
    assert checkpoint.load(path).step == 7
    assert [found.name for found in tmp_path.iterdir()] == ["m"]
    checkpoint.discard(path)
    assert not any(tmp_path.iterdir())


def test_loading_draws_no_random_numbers(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "m", make())
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    checkpoint.load(tmp_path / "m")
    assert torch.equal(torch.rand(1), expected)


def damage_byte(path: Path) -> None:
    data = bytearray((path / "model.safetensors").read_bytes())
    data[-5] ^= 1
    (path / "model.safetensors").write_bytes(data)


def cut_short(path: Path) -> None:
    file = path / "model.safetensors"
    file.write_bytes(file.read_bytes()[:100])


def swap_weights(path: Path) -> None:
    """Whole, with a right checksum, but of another model."""
    other = path.parent / "other"
    checkpoint.save(other, make("rope"))
    state = json.loads((path / "state.json").read_text())
    state["sha256"] = json.loads((other / "state.json").read_text())["sha256"]
    (path / "state.json").write_text(json.dumps(state))
    (other / "model.safetensors").replace(path / "model.safetensors")


def edit_state(path: Path, **changes: object) -> None:
    state = json.loads((path / "state.json").read_text(encoding="utf-8"))
    (path / "state.json").write_text(json.dumps(state | changes))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damage_byte, r"model\.safetensors: damaged \(its SHA-256"),
        (cut_short, r"model\.safetensors: damaged"),
        (lambda path: (path / "model.safetensors").unlink(), r"model\.safetensors: missing"),
        (lambda path: (path / "state.json").write_text("{"), r"state\.json: damaged \(not JSON\)"),
        (lambda path: (path / "state.json").write_text("[1]"), r"state\.json: not written by kqa"),
        (lambda path: (path / "state.json").unlink(), r"not a checkpoint of kqa"),
        (lambda path: edit_state(path, version=99), r"format 99 was written by another version"),
        (lambda path: edit_state(path, config={"vocab_size": 8}), r"other weights than the model"),
        (lambda path: edit_state(path, config={"vocab_size": "many"}), r"state\.json: damaged"),
        (lambda path: edit_state(path, config={"colour": 1}), r"state\.json: damaged"),
        (
            lambda path: edit_state(path, config={"vocab_size": 8, "variant": "vanila"}),
            r"did you mean vanilla",
        ),
        (lambda path: edit_state(path, vocabulary="□⁇ab"), r"4 characters for a model of 8"),
        (lambda path: edit_state(path, step=None), r"state\.json: damaged"),
        (swap_weights, r"other weights than the model"),
    ],
)
def test_a_damaged_checkpoint_is_named_in_one_line(tmp_path: Path, damage, said: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "m"
    checkpoint.save(path, make())
    damage(path)
    with pytest.raises(UserError, match=said) as caught:
        checkpoint.load(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


class Bomb:
    """Unpickled, it would leave a file behind."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.path),)

    def __init__(self, path: Path) -> None:
        self.path = path


def test_a_pickle_is_never_opened(tmp_path: Path) -> None:
    file, mark = tmp_path / "model.params", tmp_path / "mark"
    file.write_bytes(pickle.dumps(Bomb(mark)))
    with pytest.raises(UserError, match="a checkpoint directory was expected, this is a file"):
        checkpoint.load(file)
    checkpoint.save(tmp_path / "m", make())
    (tmp_path / "m" / "model.safetensors").write_bytes(pickle.dumps(Bomb(mark)))
    with pytest.raises(UserError, match="damaged"):
        checkpoint.load(tmp_path / "m")
    assert not mark.exists()


def test_no_foreign_thing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_text("cat")
    (tmp_path / "file").write_text("text")
    for name, said in [("photos", "holds something else than a checkpoint"), ("file", "this is a file")]:
        with pytest.raises(UserError, match=said):
            checkpoint.save(tmp_path / name, make())
    with pytest.raises(UserError, match="there is no directory"):
        checkpoint.check_writable(tmp_path / "nowhere" / "m")
    with pytest.raises(UserError, match="cannot be written"):
        checkpoint.check_writable(tmp_path / "file" / "m")
    assert (tmp_path / "photos" / "cat.jpg").read_text() == "cat"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "photos"]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system has no files without a name")
def test_whoever_is_killed_while_asking_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for removal in ("unlink", "rmdir"):  # a kill lands before whatever would clear away
        monkeypatch.setattr(os, removal, killed)
    for check in (checkpoint.check_writable, check_writable):
        with contextlib.suppress(KeyboardInterrupt):
            check(tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_old_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m"
    first = make(seed=0)
    checkpoint.save(path, first)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    rename = Path.rename

    def not_the_new_one(found: Path, target: Path) -> Path:
        return full() if found.name == ".m.new" else rename(found, target)  # type: ignore[return-value, func-returns-value]

    for owner, name, fails in ((checkpoint, "write_synced", full), (Path, "rename", not_the_new_one)):
        with monkeypatch.context() as broken:
            broken.setattr(owner, name, fails)
            with pytest.raises(UserError, match="No space left on device"):
                checkpoint.save(path, make(seed=1))
        assert torch.equal(checkpoint.load(path).model.head.weight, first.model.head.weight)
        assert [found.name for found in tmp_path.iterdir()] == ["m"]
