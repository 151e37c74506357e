"""What code can change in torch for the whole process, put back when it has run.

An answer may turn off the recording of gradients, or choose another default dtype. It runs in the student's
own process, but a rejected answer of a key runs in the judge's, with which the next submission is judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def torch_state_kept() -> Iterator[None]:
    """Put back the recording of gradients, the default dtype and device, the number of threads, and numpy's
    ways with errors.
    """
    gradients, dtype, device = torch.is_grad_enabled(), torch.get_default_dtype(), torch.get_default_device()
    threads, errors = torch.get_num_threads(), np.geterr()
    try:
        yield
    finally:
        torch.set_grad_enabled(gradients)
        torch.set_default_dtype(dtype)
        if torch.get_default_device() != device:
            torch.set_default_device(device)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        np.seterr(**errors)
