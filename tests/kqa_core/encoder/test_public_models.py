"""The extra packages, and real data and models, which are not to be had here: the code path is tried with
data of the same form, and a stand-in for the hub.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import importlib
import json
import os
import re
import threading

import pytest
from warm_python import python

from kqa_core.encoder import hugging_face
from kqa_core.encoder.classifier import load_encoder
from kqa_core.encoder.finetune import FineTune, fine_tune
from kqa_core.encoder.hugging_face import need, read_sst2
from kqa_core.encoder.tokenizer import make_tokenizer
from kqa_core.errors import UserError

# A stand-in for the Hugging Face hub on the loopback address: the addresses that its clients ask.
COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILE = re.compile(r"/(?:(datasets)/)?(.+)/resolve/[^/]+/(.+)")
API = re.compile(
    r"/api/(models|datasets)/(.+?)(?:/(revision|tree|paths-info)/([^/?]+)(?:/([^?]*))?)?(?:\?.*)?"
)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self._answer()

    def do_HEAD(self):
        self._answer()

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        asked = self.rfile.read(length)
        self._answer(asked)

    def _answer(self, asked=b""):
        self.server.asked.append(f"{self.command} {self.path}")
        path = self.path
        if found := API.fullmatch(path):
            kind, name, what, _, inside = found.groups()
            files = self.server.repositories.get((kind, name))
            if files is not None:
                self._json(self._about(name, files, what, inside, asked))
                return
        elif found := FILE.fullmatch(path):
            kind, name, file = found.groups()
            content = self.server.repositories.get((kind or "models", name), {}).get(file)
            if content is not None:
                self._send(
                    content, {"ETag": f'"{hashlib.sha1(content).hexdigest()}"', "X-Repo-Commit": COMMIT}
                )
                return
        code = "RepoNotFound" if not self._known(path) else "EntryNotFound"
        self._send(b"{}", {"X-Error-Code": code, "X-Repo-Commit": COMMIT}, 404)

    def _known(self, path):
        return any(f"/{name}/" in path for _, name in self.server.repositories)

    def _about(self, name, files, what, inside, asked):
        entries = [
            {"type": "file", "path": path, "size": len(content), "oid": hashlib.sha1(content).hexdigest()}
            for path, content in files.items()
        ]
        if what == "tree":
            return [each for each in entries if not inside or each["path"].startswith(f"{inside}/")]
        if what == "paths-info":
            wanted = json.loads(asked)["paths"] if asked.startswith(b"{") else []
            return [each for each in entries if each["path"] in wanted]
        siblings = [{"rfilename": path} for path in files]
        return {"id": name, "sha": COMMIT, "siblings": siblings, "private": False, "tags": [], "downloads": 0}

    def _json(self, value):
        self._send(json.dumps(value).encode(), {"Content-Type": "application/json"})

    def _send(self, content, headers, status=200):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def running_hub(repositories):
    """A server of `repositories`, ("models" or "datasets", name) → file → bytes. Yields it; `address` is its
    address and `asked` what it was asked.
    """
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.repositories, server.asked = repositories, []
    server.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def dataset(**rows):
    """A data set of these columns. The package takes a while to import, so that waits for a test."""
    from datasets import Dataset

    return Dataset.from_dict(rows)


def splits(**changes):
    from datasets import DatasetDict

    rows = {"text": ["a fine film", "a dull film "], "label": [1, 0], "label_text": ["positive", "negative"]}
    made = {name: dataset(**rows) for name in ("train", "validation", "test")}
    return DatasetDict(made | changes)


@pytest.mark.slow
def test_sst2_comes_in_our_form():
    asked = []
    data = read_sst2(lambda name: asked.append(name) or splits())
    assert asked == [hugging_face.DATA]
    assert [(each.sentence, each.label, each.kind) for each in data.test] == [
        ("a fine film", 1, ""),
        ("a dull film", 0, ""),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("splits_of", "said"),
    [
        (lambda: splits(test=dataset(text=["what"], label=[-1])), "labelled 0 or 1"),
        (lambda: splits(train=dataset(text=[], label=[])), "labelled 0 or 1"),
        (lambda: splits(train=dataset(sentence=["what"], label=[1])), "text"),
        (
            lambda: (_ for _ in ()).throw(ConnectionError("no route\nto the hub")),
            r"no route\): it needs a network",
        ),
    ],
)
def test_what_is_not_sst2_or_not_to_be_had_is_named_in_one_line(splits_of, said):
    with pytest.raises(UserError, match=said) as raised:
        read_sst2(lambda name: splits_of())
    assert str(raised.value).startswith(hugging_face.DATA) and "\n" not in str(raised.value)


def test_a_roberta_of_the_usual_kind_goes_through_the_same_code(tmp_path, few):
    """roberta-base's class and its order of norms, with few and narrow layers."""
    import transformers

    tokenizer = make_tokenizer([each.sentence for each in few.train], 64)
    shape = transformers.RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=66,
        type_vocab_size=1,
    )
    transformers.RobertaForMaskedLM(shape).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    encoder, _ = load_encoder(tmp_path)
    assert type(encoder) is transformers.RobertaModel
    tuned = fine_tune(FineTune(16, 1e-3, 1), few, tmp_path, show=False)
    assert len(tuned.curves.losses) == 3 and tuned.score(few.test).total == 24


def test_a_missing_package_is_one_line_with_the_command_that_installs_it(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(
        UserError, match=r"^transformers: not installed.*pip install 'transformers>=5' tokenizers datasets"
    ):
        need("transformers")


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
    return python("-c", code, "encoder", "finetune", "--epochs", "1", *words, cwd=place, env=environment)


@pytest.mark.slow
def test_model_and_sentences_come_by_their_names(repositories, tmp_path):
    with running_hub(repositories) as hub:
        done = kqa(tmp_path, hub.address, "--model", "roberta-base", "--data", "sst2")
        assert done.returncode == 0, (done.stderr, hub.asked)
        assert "of 48" in done.stdout
        assert any("roberta-base/resolve/" in asked for asked in hub.asked)
        assert any("SetFit/sst2" in asked for asked in hub.asked)


@pytest.mark.slow
def test_a_name_that_the_hub_does_not_know_is_one_line(repositories, tmp_path):
    with running_hub(repositories) as hub:
        done = kqa(tmp_path, hub.address, "--model", "roberta-baze")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(
        "kqa: roberta-baze: neither a folder nor available on the hub ("
    )


@pytest.mark.nightly
def test_a_hub_that_does_not_answer_is_one_line(tmp_path):
    done = kqa(tmp_path, "http://127.0.0.1:9", "--model", "roberta-base", code=AT_ONCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(
        "kqa: roberta-base: neither a folder nor available on the hub ("
    )
