"""Fresh answers to encoder_decoder_shapes."""


# Shapes from a text in letters.
def right_from_a_text(b, n, m, d, h, vocab_size):
    sizes = {"b": b, "n": n, "m": m, "d": d, "h": h, "k": d // h, "V": vocab_size}
    names = "memory encoder_weights decoder_weights cross_queries cross_keys cross_weights decoder_output logits".split()
    texts = "bnd bhnn bhmm bhmk bhnk bhmn bmd bmV".split()
    return {name: tuple(sizes[letter] for letter in text) for name, text in zip(names, texts)}

# A shape as a named tuple, and dict with keywords.
right_named_tuple = """
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
"""

# The shape of numpy arrays, and a numpy integer.
right_numpy_integers = """
import numpy as np
def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    d_k = np.int64(d) // h
    source, target = (b, n, d), (b, m, d)
    shapes = dict(memory=source, decoder_output=target)
    for name, rows, columns in (("encoder", n, n), ("decoder", m, m), ("cross", m, n)):
        shapes[f"{name}_weights"] = (b, h) + (rows, columns)
    shapes.update(cross_queries=(b, h, m, d_k), cross_keys=(b, h, n, d_k), logits=target[:2] + (vocab_size,))
    return shapes
"""

# torch.Size, from tensors on a device without numbers.
right_sizes_of_tensors = """
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)
def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    def empty(*shape):
        return torch.empty(shape, device="meta")
    memory, out = empty(b, n, d), empty(b, m, d)
    q, k = split_heads(out, h), split_heads(memory, h)
    return {
        "memory": memory.shape,
        "encoder_weights": (k @ k.mT).shape,
        "decoder_weights": (q @ q.mT).shape,
        "cross_queries": q.shape,
        "cross_keys": k.shape,
        "cross_weights": (q @ k.mT).shape,
        "decoder_output": out.shape,
        "logits": (out @ empty(d, vocab_size)).shape,
    }
"""

# a dry run with tensors on the meta device, which hold no numbers; torch.Size is a tuple
def right_second_dry_run(b, n, m, d, h, vocab_size):
    source, target = (torch.empty(b, length, d, device="meta") for length in (n, m))
    def heads(x):
        return x.unflatten(-1, (h, d // h)).transpose(1, 2)
    def table(x, y):
        return heads(x) @ heads(y).mT
    found = dict(memory=source, decoder_output=target, cross_queries=heads(target), cross_keys=heads(source))
    found.update(encoder_weights=table(source, source), decoder_weights=table(target, target))
    found.update(cross_weights=table(target, source), logits=target @ torch.empty(d, vocab_size, device="meta"))
    return {name: tensor.shape for name, tensor in found.items()}

# the shapes as letters that are looked up
def right_second_letters(b, n, m, d, h, vocab_size):
    sizes = {"b": b, "n": n, "m": m, "d": d, "h": h, "k": d // h, "V": vocab_size}
    letters = {
        "memory": "bnd",
        "encoder_weights": "bhnn",
        "decoder_weights": "bhmm",
        "cross_queries": "bhmk",
        "cross_keys": "bhnk",
        "cross_weights": "bhmn",
        "decoder_output": "bmd",
        "logits": "bmV",
    }
    return {name: tuple(sizes[letter] for letter in word) for name, word in letters.items()}

# The weights of cross-attention are transposed.
def wrong_cross_transposed(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, n, m),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# The decoder's self-attention has keys from the source.
def wrong_decoder_sees_source(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, n),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# d / h is a float.
def wrong_divided(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d / h),
        "cross_keys": (b, h, n, d / h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# Two heads, as in the example.
def wrong_example_heads(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, 2, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# Keys from the target.
def wrong_keys_from_target(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, m, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# Logits for the source.
def wrong_logits_of_source(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, n, vocab_size),
    }

# cross_weights is missing.
def wrong_missing(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# The weights have no head axis.
def wrong_no_heads(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# The memory is split into heads.
def wrong_one_axis_too_many(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, h, n, d // h),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# Logits of the last position, as when it writes.
def wrong_one_logit(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, vocab_size),
    }

# The decoder's output has the length of the source.
def wrong_output_of_source_length(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, n, d),
        "logits": (b, m, vocab_size),
    }

# Queries from the source.
def wrong_queries_from_source(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, n, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# One prediction less than targets.
def wrong_shifted_targets(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m - 1, vocab_size),
    }

# Tokens before heads.
def wrong_tokens_before_heads(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, m, h, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# Heads have the full width.
def wrong_width_of_heads(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d),
        "cross_keys": (b, h, n, d),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# queries from the encoder and keys from the decoder
def wrong_second_cross_exchanged(b, n, m, d, h, vocab_size):
    d_k = d // h
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, n, d_k),
        "cross_keys": (b, h, m, d_k),
        "cross_weights": (b, h, n, m),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# cross queries and keys keep the full width d in each head
def wrong_second_full_width_heads(b, n, m, d, h, vocab_size):
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d),
        "cross_keys": (b, h, n, d),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }

# the attention weights have no batch axis
def wrong_second_weights_without_batch(b, n, m, d, h, vocab_size):
    d_k = d // h
    return {
        "memory": (b, n, d),
        "encoder_weights": (h, n, n),
        "decoder_weights": (h, m, m),
        "cross_queries": (b, h, m, d_k),
        "cross_keys": (b, h, n, d_k),
        "cross_weights": (h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }
