"""What a student looks at: figures, widgets, and the live view of a training run.

Importing this package makes `kqa_core.progress` draw training runs in notebooks.
"""

from __future__ import annotations

from kqa_core import progress


def _training_view(total: int, label: str, start: int, ask: progress.Ask) -> progress.Progress:
    from kqa_core.show.figures.nb07_training import View  # imports matplotlib

    return View(total, label, start, ask)


progress.set_notebook_view(_training_view)
