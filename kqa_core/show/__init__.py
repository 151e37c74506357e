"""All that a student looks at: figures, widgets, the attention explorer, a training run's live view.

Importing this package makes `kqa_core.progress` draw training runs in notebooks. It imports neither
matplotlib nor ipywidgets: a figure does, when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core import progress
from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.show.explorer.explorer import explore
    from kqa_core.show.explorer.real_models import attention_of
    from kqa_core.show.figures.nb00_bottleneck import show_bottleneck
    from kqa_core.show.figures.nb00_map import course_map
    from kqa_core.show.figures.nb01_heat_map import weight_map
    from kqa_core.show.figures.nb01_lookup import lookup_slider
    from kqa_core.show.figures.nb01_plane import query_plane
    from kqa_core.show.figures.nb01_rates import rates_figure
    from kqa_core.show.figures.nb01_tetrahedron import key_tetrahedron
    from kqa_core.show.figures.nb02_cloud import show_key_cloud
    from kqa_core.show.figures.nb02_heads import heads_figure, heads_slider
    from kqa_core.show.figures.nb02_normal import show_normal_area
    from kqa_core.show.figures.nb02_triangle import show_value_triangle
    from kqa_core.show.figures.nb03_compare import compare_matrices
    from kqa_core.show.figures.nb03_flow import attention_flow, show_attention_flow
    from kqa_core.show.figures.nb03_playground import playground
    from kqa_core.show.figures.nb03_reach import hull_figure, reach_figure
    from kqa_core.show.figures.nb04_diagrams import show_head_split, show_transformer
    from kqa_core.show.figures.nb04_embedding import show_embedding_sum, show_loss_curve
    from kqa_core.show.figures.nb04_masks import mask_slider, reading_figure, spread_figure
    from kqa_core.show.figures.nb05_lab import batch_curves, draw_positions, influence_maps, influences
    from kqa_core.show.figures.nb05_paired import show_paired_test
    from kqa_core.show.figures.nb05_rotary import rotary_slider
    from kqa_core.show.figures.nb05_runs import live_runs
    from kqa_core.show.figures.nb05_seeds import show_seed_dots
    from kqa_core.show.figures.nb05_waves import show_position_waves
    from kqa_core.show.figures.nb06_spans import draw_roles, still
    from kqa_core.show.figures.nb06_stepper import span_stepper
    from kqa_core.show.figures.nb07_curves import Published, accuracy_stages, gap, losses, schedule
    from kqa_core.show.figures.nb08_certainty import (
        draw_curves,
        draw_luck,
        draw_regions,
        draw_reliability,
        draw_sureness,
    )
    from kqa_core.show.figures.nb08_heads import (
        show_ablation_and_patching,
        show_patched_heads,
        show_weight_and_effect,
    )
    from kqa_core.show.figures.nb08_retrieved import Answered, retrieved_or_made_up
    from kqa_core.show.figures.nb08b_ladder import (
        LEVELS,
        accuracy_by_lever,
        accuracy_by_seconds,
        show_exposures,
        show_ladder,
        show_questions,
    )
    from kqa_core.show.figures.nb09_cost import cost_figure, exponent
    from kqa_core.show.figures.nb09_patterns import mask_figure, patterns_figure, show_reach
    from kqa_core.show.figures.nb09_weights import learning_figure, show_low_rank, show_orders
    from kqa_core.show.figures.nb10_finetuning import (
        curves_figure,
        grid_figure,
        kinds_figure,
        labels_figure,
        overfitting_figure,
    )
    from kqa_core.show.figures.nb10_optimizers import paths_slider, show_paths
    from kqa_core.show.figures.nb10_search import grid_and_random, search_figure
    from kqa_core.show.figures.nb11_scores import show_head_scores
    from kqa_core.show.figures.nb12_memory import show_memory
    from kqa_core.show.figures.nb12_roofline import PROCESSORS, roofline_slider
    from kqa_core.show.figures.nb12_tiles import tile_walk
    from kqa_core.show.kit.live_figure import live_figure
    from kqa_core.show.kit.palette import BLUE, ORANGE
    from kqa_core.show.pronouns import PAIRS, held_out_share, pronoun_scores, recorded_head, score_heads
    from kqa_core.show.walk.walkthrough import walkthrough

__all__ = [
    "BLUE", "LEVELS", "ORANGE", "PAIRS", "PROCESSORS", "Answered", "Published", "accuracy_by_lever",
    "accuracy_by_seconds", "accuracy_stages", "attention_flow", "attention_of", "batch_curves",
    "compare_matrices", "cost_figure", "course_map", "curves_figure", "draw_curves", "draw_luck",
    "draw_positions", "draw_regions", "draw_reliability", "draw_roles", "draw_sureness", "explore",
    "exponent", "gap", "grid_and_random", "grid_figure", "heads_figure", "heads_slider", "held_out_share",
    "hull_figure", "influence_maps", "influences", "key_tetrahedron", "kinds_figure", "labels_figure",
    "learning_figure", "live_figure", "live_runs", "lookup_slider", "losses", "mask_figure", "mask_slider",
    "overfitting_figure", "paths_slider", "patterns_figure", "playground", "pronoun_scores", "query_plane",
    "rates_figure", "reach_figure", "reading_figure", "recorded_head", "retrieved_or_made_up",
    "roofline_slider", "rotary_slider", "schedule", "score_heads", "search_figure",
    "show_ablation_and_patching", "show_attention_flow", "show_bottleneck", "show_embedding_sum",
    "show_exposures", "show_head_scores", "show_head_split", "show_key_cloud", "show_ladder",
    "show_loss_curve", "show_low_rank",
    "show_memory", "show_normal_area", "show_orders", "show_paired_test", "show_patched_heads",
    "show_paths", "show_position_waves", "show_questions", "show_reach", "show_seed_dots", "show_transformer",
    "show_value_triangle", "show_weight_and_effect", "span_stepper", "spread_figure", "still", "tile_walk",
    "walkthrough", "weight_map",
]  # fmt: skip

__getattr__ = lazy_names(__name__, __file__)


def _training_view(total: int, label: str, start: int, ask: progress.Ask) -> progress.Progress:
    from kqa_core.show.figures.nb07_training import View  # imports matplotlib

    return View(total, label, start, ask)


progress.set_notebook_view(_training_view)
