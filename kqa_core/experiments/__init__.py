"""The experiments that notebooks and benchmarks share: what is trained, measured and recorded.

The mini-Transformer lab, the knowledge table, the ladder of recipes on the original data, the race of the
kernels, and the pretrained models that come with the course.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.experiments.few_people import answers_right, few_people_corpus, recorded_few, train_few
    from kqa_core.experiments.kernel_race import race_table, recorded_race
    from kqa_core.experiments.ladder_tables import recorded_clozes, recorded_exposures, recorded_reader
    from kqa_core.experiments.mini_transformer import (
        ROW_LENGTH,
        VARIANTS,
        Row,
        lab_model,
        lab_text,
        train_lab,
    )
    from kqa_core.experiments.own_training import (
        WatchedTraining,
        kept_training,
        recorded_own,
        train_row,
    )
    from kqa_core.experiments.pretrained import shipped_model
    from kqa_core.experiments.results import (
        LADDER,
        PUBLISHED,
        WHOLE,
        WITHOUT,
        ladder_step,
        of_row,
        read_ladder,
        recorded_lab,
    )
    from kqa_core.experiments.small_models import suspect
    from kqa_core.experiments.street_stories import (
        STREET_PLAIN,
        STREET_STEPS,
        answer_loss,
        measure_street,
        street_text,
        train_street,
    )
    from kqa_core.progress import limited

__all__ = [
    "LADDER", "PUBLISHED", "ROW_LENGTH", "STREET_PLAIN", "STREET_STEPS", "VARIANTS", "WHOLE", "WITHOUT",
    "Row", "WatchedTraining", "answer_loss", "answers_right", "few_people_corpus",
    "kept_training", "lab_model",
    "lab_text", "ladder_step", "limited", "measure_street", "of_row", "race_table", "read_ladder",
    "recorded_clozes", "recorded_exposures", "recorded_few", "recorded_lab", "recorded_own", "recorded_race",
    "recorded_reader", "shipped_model",
    "street_text", "suspect", "train_few", "train_lab", "train_row",
    "train_street",
]  # fmt: skip

__getattr__ = lazy_names(__name__, __file__)
