"""The rows of the tables of figures. table.py writes them; no measured number is typed here."""

from __future__ import annotations

from benchmarks._rows_of_models import ACCURACY, NOTEBOOKS
from benchmarks._rows_of_software import GPU, GRADING, TRAINING

ROWS = (*GRADING, *TRAINING, *ACCURACY, *NOTEBOOKS, *GPU)
