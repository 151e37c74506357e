"""Answer key of encoder_decoder_shapes. The truth is asked of torch's own encoder and decoder."""

from __future__ import annotations

import random

import torch
from course_exercises.encoder_decoder_shapes import judged_by_parts

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict
from kqa_core.exercise_helpers.transformer_parts import again


def draw_sizes(rng: random.Random) -> tuple[int, int, int, int, int, int]:
    """b, n, m, d, h and vocab_size, of which no two are equal, and d_head is no other's equal."""
    while True:
        h, d_head = rng.randint(2, 8), rng.randint(2, 8)
        sizes = (
            rng.randint(1, 9),
            rng.randint(2, 30),
            rng.randint(2, 30),
            h * d_head,
            h,
            rng.randint(20, 99),
        )
        if len({*sizes, d_head}) == 7:
            return sizes


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Random sizes; then n = m, one head, and lengths of 1."""
    several = (
        *(draw_sizes(rng) for _ in range(4)),
        (3, 6, 6, 8, 2, 20),
        (2, 3, 7, 5, 1, 9),
        (1, 1, 1, 4, 2, 3),
    )
    return judged_by_parts({sizes: again(answer, *sizes) for sizes in several})


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two of unequal sizes."""
    return [draw_sizes(rng), draw_sizes(rng)]


def encoder_decoder_shapes(b, n, m, d, h, vocab_size):
    """The reference."""
    return {
        "memory": (b, n, d),
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_queries": (b, h, m, d // h),
        "cross_keys": (b, h, n, d // h),
        "cross_weights": (b, h, m, n),
        "decoder_output": (b, m, d),
        "logits": (b, m, vocab_size),
    }


def by_running_it(b, n, m, d, h, vocab_size):
    """Runs the shapes through torch, on a device without numbers."""
    source, target = torch.empty(b, n, d, device="meta"), torch.empty(b, m, d, device="meta")
    cut = [x.unflatten(-1, (h, -1)).transpose(1, 2) for x in (source, target)]
    weights = [q @ k.mT for q, k in ((cut[0], cut[0]), (cut[1], cut[1]), (cut[1], cut[0]))]
    names = (
        "memory",
        "decoder_output",
        "encoder_weights",
        "decoder_weights",
        "cross_weights",
        "cross_queries",
        "cross_keys",
    )
    shapes = {
        name: x.shape for name, x in zip(names, (source, target, *weights, cut[1], cut[0]), strict=True)
    }
    return shapes | {"logits": (target @ torch.empty(d, vocab_size, device="meta")).shape}


def by_letters(b, n, m, d, h, vocab_size):
    """A table in letters, and what they stand for."""
    sizes = {"b": b, "n": n, "m": m, "d": d, "h": h, "v": vocab_size, "e": d // h}
    table = (
        "memory bnd encoder_weights bhnn decoder_weights bhmm cross_queries bhme cross_keys bhne"
        " cross_weights bhmn"
    )
    words = f"{table} decoder_output bmd logits bmv".split()
    return {
        name: tuple(sizes[letter] for letter in letters)
        for name, letters in zip(words[::2], words[1::2], strict=True)
    }


def lists(b, n, m, d, h, vocab_size):
    """Lists in place of tuples, built from their common parts."""
    heads, d_head = [b, h], d // h
    shapes = {"memory": [b, n, d], "decoder_output": [b, m, d], "logits": [b, m, vocab_size]}
    for name, rows, columns in (("encoder", n, n), ("decoder", m, m), ("cross", m, n)):
        shapes[f"{name}_weights"] = [*heads, rows, columns]
    shapes.update(cross_queries=[*heads, m, d_head], cross_keys=[*heads, n, d_head])
    return shapes


def tensors(b, n, m, d, h, vocab_size):
    """As tensors of whole numbers."""
    side = torch.tensor
    whole = {"memory": side([b, n, d]), "decoder_output": side([b, m, d]), "logits": side([b, m, vocab_size])}
    queries, keys = side([b, h, m, d // h]), side([b, h, n, d // h])
    weights = {
        f"{name}_weights": side([b, h, i, j])
        for name, i, j in (("encoder", n, n), ("decoder", m, m), ("cross", m, n))
    }
    return {**whole, **weights, "cross_queries": queries, "cross_keys": keys}


def cross_transposed(b, n, m, d, h, vocab_size):
    """The weights of your cross-attention are transposed. They should have a row for each of the m queries
    and a column for each of the n keys.
    """
    q, k = (b, h, m, d // h), (b, h, n, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_weights": (b, h, n, m),
    }
    ends = {"memory": (b, n, d), "decoder_output": (b, m, d), "logits": (b, m, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def queries_from_memory(b, n, m, d, h, vocab_size):
    """You take queries from the memory and keys from the decoder. It should be the other way round."""
    q, k = (b, h, n, d // h), (b, h, m, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_weights": (b, h, n, m),
    }
    ends = {"memory": (b, n, d), "decoder_output": (b, m, d), "logits": (b, m, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def no_heads(b, n, m, d, h, vocab_size):
    """Your attention has no axis for the heads. It should have one: each head has weights of its own."""
    q, k = (b, m, d), (b, n, d)
    weights = {"encoder_weights": (b, n, n), "decoder_weights": (b, m, m), "cross_weights": (b, m, n)}
    ends = {"memory": (b, n, d), "decoder_output": (b, m, d), "logits": (b, m, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def full_width_heads(b, n, m, d, h, vocab_size):
    """Your heads are d wide each. They should share the d components, d // h for each."""
    q, k = (b, h, m, d), (b, h, n, d)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_weights": (b, h, m, n),
    }
    ends = {"memory": (b, n, d), "decoder_output": (b, m, d), "logits": (b, m, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def memory_as_one_vector(b, n, m, d, h, vocab_size):
    """Your memory is one vector for each text, as in recurrent models.
    It should have one for each of the n source tokens.
    """
    q, k = (b, h, m, d // h), (b, h, n, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_weights": (b, h, m, n),
    }
    ends = {"memory": (b, d), "decoder_output": (b, m, d), "logits": (b, m, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def decoder_of_length_n(b, n, m, d, h, vocab_size):
    """You give the decoder the length of the encoder's text. It should have a length of its own, m."""
    q, k = (b, h, n, d // h), (b, h, n, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, n, n),
        "cross_weights": (b, h, n, n),
    }
    ends = {"memory": (b, n, d), "decoder_output": (b, n, d), "logits": (b, n, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def last_logits(b, n, m, d, h, vocab_size):
    """You give logits for the last position only.
    There should be logits for each of the m positions, as training needs them.
    """
    q, k = (b, h, m, d // h), (b, h, n, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_weights": (b, h, m, n),
    }
    ends = {"memory": (b, n, d), "decoder_output": (b, m, d), "logits": (b, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def logits_of_width_d(b, n, m, d, h, vocab_size):
    """Your logits have d components. There should be vocab_size of them, one for each token of the
    vocabulary: the output layer makes them.
    """
    q, k = (b, h, m, d // h), (b, h, n, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_weights": (b, h, m, n),
    }
    ends = {"memory": (b, n, d), "decoder_output": (b, m, d), "logits": (b, m, d)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def lengths_added(b, n, m, d, h, vocab_size):
    """You let the decoder's own attention read the memory as well.
    The two should be separate layers, each with its own keys.
    """
    q, k = (b, h, m, d // h), (b, h, n, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, n + m),
        "cross_weights": (b, h, m, n),
    }
    ends = {"memory": (b, n, d), "decoder_output": (b, m, d), "logits": (b, m, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def heads_behind_time(b, n, m, d, h, vocab_size):
    """In your queries and keys, tokens come before heads. It should be the other way round:
    (b, h, length, d // h), as in your split_heads.
    """
    q, k = (b, m, h, d // h), (b, n, h, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_weights": (b, h, m, n),
    }
    ends = {"memory": (b, n, d), "decoder_output": (b, m, d), "logits": (b, m, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def time_first(b, n, m, d, h, vocab_size):
    """You put the axis of tokens first, as torch's recurrent layers do. The batch should come first:
    (b, n, d), and (b, m, d) in the decoder.
    """
    q, k = (m, b, h, d // h), (n, b, h, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_weights": (b, h, m, n),
    }
    ends = {"memory": (n, b, d), "decoder_output": (m, b, d), "logits": (m, b, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


def cross_keys_of_the_decoder(b, n, m, d, h, vocab_size):
    """Your cross-attention has m keys. It should have n, because they come from the memory; m is the number
    of its queries.
    """
    q, k = (b, h, m, d // h), (b, h, m, d // h)
    weights = {
        "encoder_weights": (b, h, n, n),
        "decoder_weights": (b, h, m, m),
        "cross_weights": (b, h, m, m),
    }
    ends = {"memory": (b, n, d), "decoder_output": (b, m, d), "logits": (b, m, vocab_size)}
    return {**ends, **weights, "cross_queries": q, "cross_keys": k}


KEY = AnswerKey(
    id="encoder_decoder_shapes",
    hidden=hidden,
    reference=encoder_decoder_shapes,
    accepted=(by_running_it, by_letters, lists, tensors),
    rejected=(
        *(
            cross_transposed,
            queries_from_memory,
            no_heads,
            full_width_heads,
            memory_as_one_vector,
            decoder_of_length_n,
        ),
        *(
            last_logits,
            logits_of_width_d,
            lengths_added,
            heads_behind_time,
            time_first,
            cross_keys_of_the_decoder,
        ),
    ),
    fingerprint=fingerprint,
    commentary="""
    Ask for each tensor which text it belongs to: the source has n positions and the target m. Weights have a
    row for each query and a column for each key, in each head, so those of the cross-attention are (b, h, m,
    n). The residual stream keeps the width d until the output layer turns it into vocab_size logits.
    """,
)
