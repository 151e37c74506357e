"""The runs of a real encoder on real sentences that come with the course (`kqa bench reviews` makes them)."""

from __future__ import annotations

import json
from typing import Any

from kqa_core.errors import UserError
from kqa_core.text.packaged import shipped

PARTS = ("search", "optimizers", "curves", "pretrained", "random", "test")


def recorded_reviews() -> dict[str, Any]:
    """The recorded runs.

    - "search", "optimizers", "pretrained" and "random" are lists of runs, "curves" is one. A run is a dict
      with "config" (the fields of `FineTune`), "losses" of every step, "validation_loss" and
      "validation_accuracy" before training and after each epoch. The runs "pretrained" and "random" have
      "test" as well: the probability that each sentence of `MovieReviews.test` is positive.
    - "test" is a dict: "right", the numbers of test sentences that each classifier has right, "of" how many,
      and "raters", how many of how many single ratings have the sign of the mean.

    Raises UserError where the file is missing or damaged.
    """
    path = shipped("encoder") / "reviews.json"
    try:
        recorded = json.loads(path.read_text(encoding="utf-8"))
        return {part: recorded[part] for part in PARTS}
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"{path}: recorded runs were expected there: run `kqa bench reviews`") from None
