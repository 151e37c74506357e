# The shape of numpy arrays, and a numpy integer.
import numpy as np


def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    d_k = np.int64(d) // h
    source, target = (b, n, d), (b, m, d)
    shapes = dict(memory=source, decoder_output=target)
    for name, rows, columns in (("encoder", n, n), ("decoder", m, m), ("cross", m, n)):
        shapes[f"{name}_weights"] = (b, h) + (rows, columns)
    shapes.update(cross_queries=(b, h, m, d_k), cross_keys=(b, h, n, d_k), logits=target[:2] + (vocab_size,))
    return shapes
