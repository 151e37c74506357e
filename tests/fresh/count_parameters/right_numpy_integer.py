# A numpy integer.
import numpy as np


def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d = np.int64(d_model)
    block = np.array([4 * d * d, 4 * d, 8 * d * d, 5 * d, 4 * d]).sum()
    return n_layer * block + d * (2 * vocab_size + block_size + 2)
