"""`kqa encoder …`: what it writes, and what a person gets wrong."""

from __future__ import annotations

import pytest

from kqa_core.encoder.grid_search import read_grid
from kqa_core.encoder.sentiment import read_sentiment


@pytest.fixture
def kqa(kqa_in_process):
    """Run `kqa encoder` with some words; the exit status, and what was printed."""
    return lambda *words: kqa_in_process("encoder", *words)


def test_data_makes_a_corpus(kqa, tmp_path):
    status, printed = kqa("data", "--out", tmp_path, "--seed", "3")
    assert status == 0 and "6,920 / 872 / 1,821" in printed.out
    assert len(read_sentiment(tmp_path).test) == 1_821


@pytest.mark.slow
def test_an_encoder_is_pretrained_fine_tuned_and_tried_over_a_grid(kqa, tmp_path, monkeypatch, few):
    from kqa_core.encoder import grid_search, sources

    out = tmp_path / "encoder"
    status, printed = kqa("pretrain", "--out", out, "--reviews", "256", "--epochs", "1")
    assert (
        status == 0
        and "2 steps on 256 reviews" in printed.out
        and "pretrain encoder: step 2 of 2" in printed.err
    )
    monkeypatch.setitem(sources.CORPORA, "few", lambda: few)
    of_them = ("--model", out, "--data", "few")
    status, printed = kqa("finetune", "--epochs", "1", "--optimizer", "sgd", *of_them)
    assert status == 0 and printed.out.startswith("validation: ")
    monkeypatch.setattr(grid_search, "configurations", lambda model: [grid_search.FineTune(epochs=1)])
    status, printed = kqa("grid", "--workers", "1", "--out", tmp_path / "grid_search.json", *of_them)
    assert status == 0 and printed.out.count("chosen") == 1 and "test, looked at once" in printed.out
    assert len(read_grid(tmp_path / "grid_search.json").runs) == 1 and "grid: step 1 of 1" in printed.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pretrain", "--out", "file"), "file: a folder was expected"),
        (("pretrain", "--out", "new", "--reviews", "3"), "reviews: 3 fill no batch"),
        (("pretrain", "--out", "new", "--epochs", "-1"), "epochs: must be above 0"),
        (("finetune", "--optimizer", "lion"), "optimizer: adamw, sgd, adagrad"),
        (("finetune", "--learning-rate", "0"), "learning_rate: must be above 0"),
        (("finetune", "--data", "sst3"), "--data sst3: no such sentences; did you mean sst2?"),
        (("finetune", "--model", "./none"), "./none: no such folder"),
        (("finetune", "--model", "minilm"), "minilm: not fetched yet: run `kqa data fetch minilm`"),
        (("grid", "--data", "movie-reviews", "--out", "a.json"), "movie-reviews: not fetched yet"),
        (("grid", "--out", "."), ".: a file was to be written here, this is a directory"),
        (("data", "--out", "file"), "file: a folder was expected"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(kqa, tmp_path, monkeypatch, words, said):
    (tmp_path / "file").write_text("mine")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KQA_CACHE", "no_cache")
    status, printed = kqa(*words)
    (line,) = printed.err.splitlines()
    assert status == 2 and printed.out == "" and line.startswith(f"kqa: {said}")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.slow
@pytest.mark.parametrize("words", [("finetune", "--hub"), ("grid", "--hub", "--out", "grid_search.json")])
def test_without_a_network_hub_is_one_line(kqa, tmp_path, monkeypatch, words):
    def unreachable(name):
        raise ConnectionError("Couldn't reach the Hub")

    monkeypatch.setattr("datasets.load_dataset", unreachable)
    monkeypatch.chdir(tmp_path)
    status, printed = kqa(*words)
    (line,) = printed.err.splitlines()
    assert (
        status == 2 and line.startswith("kqa: SetFit/sst2: not available") and list(tmp_path.iterdir()) == []
    )
