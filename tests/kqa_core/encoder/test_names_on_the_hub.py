"""`--model roberta-base --data sst2` against a stand-in for the hub:
its real clients, addresses and formats.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hub_stand_in import running_hub

from kqa_core.encoder.tokenizer import make_tokenizer

pytestmark = pytest.mark.slow
RUN = "import sys; from kqa_core.cli import main; sys.argv[0] = 'kqa'; main()"
# the hub's client waits before it asks again, in all for a minute
AT_ONCE = f"import time; time.sleep = lambda seconds: None; {RUN}"


@pytest.fixture(scope="module")
def repositories(tmp_path_factory):
    """roberta-base with one narrow layer, and SST-2 with 48 sentences a split."""
    import transformers

    folder = tmp_path_factory.mktemp("roberta")
    rows = [("a fine film", 1), ("a dull film", 0), ("fine music", 1), ("dull music", 0)] * 12
    tokenizer = make_tokenizer([text for text, _ in rows], 64)
    shape = transformers.RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=66,
        type_vocab_size=1,
    )
    transformers.RobertaForMaskedLM(shape).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    model = {path.name: path.read_bytes() for path in folder.iterdir()}
    names = ("negative", "positive")
    lines = "".join(
        json.dumps({"text": text, "label": label, "label_text": names[label]}) + "\n" for text, label in rows
    )
    data = {f"{split}.jsonl": lines.encode() for split in ("train", "dev", "test")}
    return {("models", "roberta-base"): model, ("datasets", "SetFit/sst2"): data}


def kqa(place, address, *words, code=RUN):
    """`kqa encoder finetune` in a process of its own, because the hub's clients read its address once."""
    environment = os.environ | {"HF_ENDPOINT": address, "HF_HOME": str(place), "OMP_NUM_THREADS": "1"}
    environment |= {"HF_HUB_DISABLE_TELEMETRY": "1", "NO_PROXY": "127.0.0.1", "HF_HUB_DISABLE_XET": "1"}
    environment.pop("HF_HUB_OFFLINE", None)
    command = [sys.executable, "-c", code, "encoder", "finetune", "--epochs", "1", *words]
    return subprocess.run(command, env=environment, cwd=place, capture_output=True, text=True, check=False)


def test_model_and_sentences_come_by_their_names(repositories, tmp_path):
    with running_hub(repositories) as hub:
        done = kqa(tmp_path, hub.address, "--model", "roberta-base", "--data", "sst2")
        assert done.returncode == 0, (done.stderr, hub.asked)
        assert "of 48" in done.stdout
        assert any("roberta-base/resolve/" in asked for asked in hub.asked)
        assert any("SetFit/sst2" in asked for asked in hub.asked)


def test_a_name_that_the_hub_does_not_know_is_one_line(repositories, tmp_path):
    with running_hub(repositories) as hub:
        done = kqa(tmp_path, hub.address, "--model", "roberta-baze")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(
        "kqa: roberta-baze: neither a folder nor available on the hub ("
    )


def test_a_hub_that_does_not_answer_is_one_line(tmp_path):
    done = kqa(tmp_path, "http://127.0.0.1:9", "--model", "roberta-base", code=AT_ONCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(
        "kqa: roberta-base: neither a folder nor available on the hub ("
    )
