# A shape as a named tuple, and dict with keywords.
from collections import OrderedDict, namedtuple

Heads = namedtuple("Heads", "batch head row column")


def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    d_k = d // h
    return OrderedDict(
        logits=(b, m, vocab_size),
        decoder_output=(b, m, d),
        memory=(b, n, d),
        encoder_weights=Heads(b, h, n, n),
        decoder_weights=Heads(b, h, m, m),
        cross_weights=Heads(b, h, m, n),
        cross_queries=Heads(b, h, m, d_k),
        cross_keys=Heads(b, h, n, d_k),
    )
