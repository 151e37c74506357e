"""Wrong answers to llama_states: a right one with one mistake each."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from autograder.answer_key import mistakes
from kqa_core.model.variants.rope import angles, rotate


def written_short(tokens, weights, n_head, n_key_head, theta):
    """Right: what the mistakes below change in one place."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


REJECTED = mistakes(
    written_short,
    {
        "halves": (
            (
                "Channels m and m + d_k/2 are rotated as pairs. These weights expect neighbouring channels, "
                "2m and 2m + 1, as in notebook 05."
            ),
            {
                "q, k = rotate(q, angle), rotate(k, angle)": (
                    "q, k = (\n"
                    "            rotate(torch.stack(each.chunk(2, -1), -1).flatten(-2), angle)\n"
                    "            .unflatten(-1, (-1, 2))\n"
                    "            .mT.flatten(-2)\n"
                    "            for each in (q, k)\n"
                    "        )"
                )
            },
        ),
        "no_rotation": (
            "Queries and keys are not rotated.",
            {
                "    angle = angles(torch.arange(T), d_k, theta)\n": "",
                "        q, k = rotate(q, angle), rotate(k, angle)\n": "",
            },
        ),
        "values_rotated": (
            "The values are rotated, too. Only queries and keys are rotated.",
            {"k = rotate(q, angle), rotate(k,": ("k, v = rotate(q, angle), rotate(k, angle), rotate(v,")},
        ),
        "keys_not_rotated": (
            "Only the queries are rotated. The keys are rotated by their own positions, too.",
            {"q, k = rotate(q, angle), rotate(k,": "q = rotate(q,"},
        ),
        "default_theta": (
            "theta has no effect: the angles are those of theta = 10,000.",
            {"d_k, theta)": "d_k)"},
        ),
        "taking_turns": (
            (
                "Your query heads take turns among the key heads. Neighbours share one: "
                "repeat_interleave, and not repeat."
            ),
            {"(each.repeat_interleave(n_head // n_key_head,": ("(each.repeat(1, n_head // n_key_head, 1,")},
        ),
        "no_mask": (
            "Your positions attend to later ones. The causal mask is missing.",
            {
                "    later = torch.ones(T, T).triu(1).bool()\n": "",
                "(q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)": ("q @ k.mT / math.sqrt(d_k)"),
            },
        ),
        "no_scale": (
            "The logits are not divided by the root of d_k.",
            {"k.mT / math.sqrt(d_k)).masked_fill(later,": "k.mT).masked_fill(later,"},
        ),
        "no_first_norm": (
            "Attention gets x without a norm: rms_norm with norm_1 comes first.",
            {'F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)': "x"},
        ),
        "no_second_norm": (
            "The MLP gets x without a norm: rms_norm with norm_2 comes first.",
            {'F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)': "x"},
        ),
        "norms_exchanged": (
            "norm_1 and norm_2 are exchanged. norm_1 belongs to attention.",
            {'w["norm_1.weight"],': 'w["norm_2.weight"],', 'w["norm_2.weight"],': 'w["norm_1.weight"],'},
        ),
        "layer_norms": (
            "Your norms subtract the mean. This model has RMSNorm.",
            {
                'F.rms_norm(x, x.shape[2:], w["norm_1.weight"],': (
                    'F.layer_norm(x, x.shape[2:], w["norm_1.weight"], None,'
                ),
                'F.rms_norm(x, x.shape[2:], w["norm_2.weight"],': (
                    'F.layer_norm(x, x.shape[2:], w["norm_2.weight"], None,'
                ),
            },
        ),
        "gate_and_up": (
            "Gate and up are exchanged. silu goes on the gate.",
            {
                'w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])': (
                    'w["mlp.up.weight"])) * F.linear(y, w["mlp.gate.weight"])'
                )
            },
        ),
        "no_second_addition": (
            "The result of the MLP is not added to the stream.",
            {"x + F.linear(gated,": "F.linear(gated,"},
        ),
        "no_first_addition": (
            "The result of attention is not added to the stream.",
            {"x + F.linear(heads,": "F.linear(heads,"},
        ),
        "no_projection": (
            "The projection after attention is missing.",
            {'F.linear(heads, w["attention.projection.weight"])': "heads"},
        ),
        "no_last_norm": (
            "The last norm is missing: norm.weight belongs between the last block and the logits.",
            {'F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5),': ("F.linear(x,")},
        ),
        "no_logits": (
            "Your list ends with the last block. The logits are missing.",
            {
                ('[*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]'): (
                    "states"
                )
            },
        ),
        "logits_alone": (
            "You return the logits alone. Return the list of all states, with the logits at its end.",
            {
                ('[*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]'): (
                    'F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)'
                )
            },
        ),
        "probabilities": (
            "Your last tensor holds probabilities. Return the logits.",
            {"table)]": "table).softmax(-1)]"},
        ),
        "scaled_embeddings": (
            (
                "The embeddings are multiplied by the root of d, as in the first Transformer. This "
                "model does not."
            ),
            {"table[tokens]": "table[tokens] * math.sqrt(table.shape[1])"},
        ),
        "block_1_or_10": (
            "With more than ten blocks, 'blocks.1' also begins 'blocks.10'. A dot ends the prefix.",
            {
                (
                    "w = {\n"
                    '            key.removeprefix(f"blocks.{i}."): each\n'
                    "            for key, each in weights.items()\n"
                    '            if key.startswith(f"blocks.{i}.")\n'
                    "        }"
                ): (
                    'w = {key.split(".", 2)[-1]: each for key, each in weights.items() if '
                    'key.startswith(f"blocks.{i}")}'
                )
            },
        ),
        "normed_states": (
            "Your list holds the states after the next norm. Keep the stream itself.",
            {"states.append(x)": ('states.append(F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5))')},
        ),
    },
)
