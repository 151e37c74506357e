"""A cache of fine-tuning runs: a finished run is read from its file and not trained again.

A file has the classifier's weights as safetensors. Its header has everything the run depends on
(configuration, sentences, encoder, this package's code) and its curves. A damaged file, or one of another
run, is replaced.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from kqa_core.encoder.classifier import SentimentClassifier, load_encoder
from kqa_core.encoder.finetune import Curves, FineTune, FineTuned, fine_tune
from kqa_core.encoder.grid_search import describe, files_of
from kqa_core.encoder.sentiment import Sentiment
from kqa_core.files import digest_of

PACKAGE = Path(__file__).resolve().parents[1]
# Our code that a fine-tuned classifier can depend on; a test compares it with what is imported.
CODE = ("encoder/*.py", "training/schedule.py")
Prepare = Callable[[SentimentClassifier], None]


def cached_run(
    path: str | Path, config: FineTune, data: Sentiment, source: str | Path, prepare: Prepare | None = None
) -> FineTuned:
    """`fine_tune(config, data, source, prepare=prepare)`, or its earlier result from the file `path`.

    `source` is the folder of an encoder. Raises UserError for arguments that cannot be used.
    """
    path, source = Path(path), Path(source)
    description = describe([config], Sentiment(data.train, data.validation, ()), files_of(source))
    code = digest_of((path for pattern in CODE for path in PACKAGE.glob(pattern)), PACKAGE)
    run = json.dumps(
        description | {"prepare": getattr(prepare, "__name__", ""), "code": code}, sort_keys=True
    )
    earlier = _read(path, run, config, source)
    if earlier is not None:
        return earlier
    tuned = fine_tune(config, data, source, prepare=prepare)
    weights = {name: tensor.contiguous() for name, tensor in tuned.model.state_dict().items()}
    save_file(weights, path, {"run": run, "curves": json.dumps(asdict(tuned.curves))})
    return tuned


def _read(path: Path, run: str, config: FineTune, source: Path) -> FineTuned | None:
    """The run in a file; None if there is none, or another."""
    try:
        with safe_open(path, "pt") as file:
            header = file.metadata() or {}
            if header.get("run") != run:
                return None
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (it is no dict)
    except (OSError, SafetensorError):
        return None
    encoder, tokenizer = load_encoder(source)
    model = SentimentClassifier(encoder, config.pooling, config.dropout)
    model.load_state_dict(weights)
    return FineTuned(model.eval(), tokenizer, Curves(**json.loads(header["curves"])), config)
