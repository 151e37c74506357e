"""From text to tensors: the vocabulary, the corpus and its questions, span corruption, and the made-up world.

`shipped` and `runs` name the folders of the data that comes with the course and of what is trained here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.text.answer_extractor import generated_pairs
    from kqa_core.text.birthplaces import NameDataset, Pair, encode_pair
    from kqa_core.text.corpus import Corpus, read_corpus, read_pairs
    from kqa_core.text.packaged import runs, shipped
    from kqa_core.text.span_corruption import DocumentTable, corrupt_batch, corrupt_rows, philox, spans
    from kqa_core.text.vocabulary import Vocabulary
    from kqa_core.text.world.generator import Person, World, make_world
    from kqa_core.text.world.unseen_people import draw_unseen_names, draw_unseen_people

__all__ = [
    "Corpus", "DocumentTable", "NameDataset", "Pair", "Person", "Vocabulary", "World", "corrupt_batch",
    "corrupt_rows", "draw_unseen_names", "draw_unseen_people", "encode_pair", "generated_pairs",
    "make_world", "philox", "read_corpus", "read_pairs", "runs", "shipped", "spans",
]  # fmt: skip

__getattr__ = lazy_names(__name__, __file__)
