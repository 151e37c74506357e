"""The optional packages of notebook 10 (transformers, tokenizers, datasets), and SST-2 from Hugging Face.

- Only notebook 10 needs these packages, so they are imported when they are used. If one is missing, the error
  says how to install it.
- With `--model roberta-base --data sst2`, the same code fine-tunes RoBERTa on SST-2, the sentences of the
  Stanford Sentiment Treebank (Socher et al. 2013) with two labels and the usual splits of 6,920, 872 and
  1,821. Model and data come over the network.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from kqa_core.encoder.sentiment import Example, Sentiment
from kqa_core.errors import UserError, first_line

HUB = "'transformers>=5' tokenizers datasets"
ENCODER, DATA = "roberta-base", "SetFit/sst2"
SPLITS = ("train", "validation", "test")


def need(module: str) -> Any:
    """The optional package `module`. Raises UserError with the command that installs it if it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UserError(f"{module}: not installed, and this needs it: python -m pip install {HUB}") from None


@contextmanager
def quiet() -> Iterator[None]:
    """`transformers` without progress bars and without its warning that pretraining's head is unused."""
    logging = need("transformers").utils.logging
    level, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()


def read_sst2(load: Callable[[str], Mapping[str, Iterable[Mapping[str, Any]]]] | None = None) -> Sentiment:
    """SST-2 as a `Sentiment` corpus.

    `load` is `datasets.load_dataset`, unless a test replaces it. Raises UserError if the data is not
    available or not SST-2.
    """
    load = load or need("datasets").load_dataset
    try:
        splits = load(DATA)
        parts = [
            tuple(Example(str(row["text"]).strip(), int(row["label"])) for row in splits[name])
            for name in SPLITS
        ]
    except Exception as error:  # errors of the network, the hub and files: datasets raises many types
        reason = first_line(error)
        raise UserError(
            f"{DATA}: not available ({reason}): it needs a network; other sentences need none (--data)"
        ) from None
    if not all(parts) or {example.label for part in parts for example in part} != {0, 1}:
        raise UserError(
            f"{DATA}: sentences labelled 0 or 1 were expected in {', '.join(SPLITS)}: is it the right data"
            " set?"
        )
    return Sentiment(*parts)
