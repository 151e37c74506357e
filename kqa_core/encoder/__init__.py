"""Fine-tuning a pretrained encoder (notebook 10): a sentiment corpus, a small encoder, a classifier, a grid.

Nothing here imports transformers, tokenizers or datasets (the extra `huggingface`) before it is needed: see
`hugging_face.need`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.encoder.bag_of_words import BagOfWords, accuracy, fit, text_words
    from kqa_core.encoder.classifier import LengthGroups, SentimentClassifier, from_pretrained, load_encoder
    from kqa_core.encoder.finetune import FEW_LABELS, FineTune, fine_tune, reinitialise
    from kqa_core.encoder.grid_search import random_configurations, read_grid, score
    from kqa_core.encoder.lexicon import LexiconRules, read_lexicon
    from kqa_core.encoder.movie_reviews import raters_agreement, read_movie_reviews
    from kqa_core.encoder.prompting import PromptClassifier, fill_mask
    from kqa_core.encoder.review_runs import recorded_reviews
    from kqa_core.encoder.run_cache import cached_run
    from kqa_core.encoder.sentiment import KINDS, read_sentiment, reviews
    from kqa_core.encoder.sources import encoder_source
    from kqa_core.encoder.weak_labels import recorded_verdicts, weak_label

__all__ = [
    "FEW_LABELS", "KINDS", "BagOfWords", "FineTune", "LengthGroups", "LexiconRules", "PromptClassifier",
    "SentimentClassifier", "accuracy", "cached_run", "encoder_source", "fill_mask", "fine_tune", "fit",
    "from_pretrained", "load_encoder", "random_configurations", "raters_agreement", "read_grid",
    "read_lexicon", "read_movie_reviews", "read_sentiment", "recorded_reviews", "recorded_verdicts",
    "reinitialise", "reviews", "score", "text_words", "weak_label",
]  # fmt: skip

__getattr__ = lazy_names(__name__, __file__)
