"""The checks of notebook 07: junk, and what its keys promise."""

import math

import numpy as np
import pytest
import torch
from judged_keys import checked, refused_by_both

NOTEBOOK = "07_pretrain_finetune_evaluate"
CHECKED = checked(NOTEBOOK)


JUNK = [
    *(None, math.nan, math.inf, -1, 10**400, 1e300, "", "⁇⁇", b"x", [], (), {}, set(), (None, None), [1, "a"], [0.5] * 12),
    *(object(), np.zeros(3), np.datetime64("2021-01-01"), torch.zeros(0), torch.full((12,), math.nan), torch.tensor(1j)),
    *({"head.weight": None}, {"head.weight": torch.zeros(2)}, [math.nan] * 12, (1.0, 0.0), (math.nan, math.nan)),
]


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_junk_is_refused_by_each_check_and_breaks_neither(key):
    refused_by_both(key, JUNK)
