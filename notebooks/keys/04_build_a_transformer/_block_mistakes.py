"""Wrong answers to pre_ln_block: a right one with one mistake each."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from autograder.answer_key import mistakes


def by_functions(x, weights, n_head):
    """Right: what the mistakes below change in one place."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


LAST_LINES = """\
x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))"""


def zeros_forbidden(x, weights, n_head):
    """A score that is exactly 0 counts as forbidden, though the mask allows it: for example, forbidden
    scores are set to 0, and then every 0 to minus infinity.
    """

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        B, T, C = y.shape
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        scores = (q @ k.transpose(-2, -1) / math.sqrt(C // n_head)).tril()
        heads = torch.softmax(scores.masked_fill(scores == 0, -math.inf), dim=-1) @ v
        return linear("attention.projection", heads.transpose(1, 2).reshape(B, T, C))

    x = x + attention(norm("norm_1", x))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))


# The next two are compared with the reference to the last bit, so they compute as it does.
def changes_x(x, weights, n_head):
    """Your result is right, but your code changes x in place.
    Other cells still need it as it was: make a new object
    """

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        B, T, C = y.shape
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        allowed = torch.ones(T, T, dtype=torch.bool, device=y.device).tril()
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
        heads = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1) @ v
        return linear("attention.projection", heads.transpose(1, 2).reshape(B, T, C))

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x += attention(norm("norm_1", x))
    x += mlp(norm("norm_2", x))
    return x


def detached(x, weights, n_head):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        B, T, C = y.shape
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        allowed = torch.ones(T, T, dtype=torch.bool, device=y.device).tril()
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
        heads = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1) @ v
        return linear("attention.projection", heads.transpose(1, 2).reshape(B, T, C))

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return (x + mlp(norm("norm_2", x))).detach()


REJECTED = (
    *mistakes(
        by_functions,
        {
            "post_ln": (
                (
                    "You normalise after each addition. That is the post-LN block of 2017; here each "
                    "branch begins with its LayerNorm."
                ),
                {LAST_LINES: ('x = norm("norm_1", x + attention(x))\n    return norm("norm_2", x + mlp(x))')},
            ),
            "no_residual": (
                "You do not add the branches to the residual stream: each branch replaces x instead.",
                {LAST_LINES: ('x = attention(norm("norm_1", x))\n    return mlp(norm("norm_2", x))')},
            ),
            "no_first_residual": (
                "The first addition is missing: the output of attention is added to x.",
                {'x + attention(norm("norm_1",': 'attention(norm("norm_1",'},
            ),
            "no_second_residual": (
                "The second addition is missing: the output of the MLP is added to the residual stream.",
                {'x + mlp(norm("norm_2",': 'mlp(norm("norm_2",'},
            ),
            "stream_normalised": (
                (
                    "You normalise the residual stream itself. Normalise only the copy that enters the "
                    "branch, and add the result to the unchanged stream."
                ),
                {
                    LAST_LINES: (
                        'x = norm("norm_1", x)\n'
                        "    x = x + attention(x)\n"
                        '    x = norm("norm_2", x)\n'
                        "    return x + mlp(x)"
                    )
                },
            ),
            "norm_behind_the_branch": (
                "You normalise what comes out of attention and MLP. Normalise what goes into them.",
                {LAST_LINES: ('x = x + norm("norm_1", attention(x))\n    return x + norm("norm_2", mlp(x))')},
            ),
            "no_norms": (
                "Your block has no LayerNorm.",
                {
                    (
                        "\n"
                        "    def norm(name, y):\n"
                        '        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], '
                        'weights[f"{name}.bias"])\n'
                    ): "",
                    LAST_LINES: ("x = x + attention(x)\n    return x + mlp(x)"),
                },
            ),
            "norms_exchanged": (
                "You exchange the LayerNorms: norm_1 belongs to attention and norm_2 to the MLP.",
                {LAST_LINES: ('x = x + attention(norm("norm_2", x))\n    return x + mlp(norm("norm_1", x))')},
            ),
            "side_by_side": (
                (
                    "Your MLP gets the old x, from before attention. Some models do that; here the MLP "
                    "gets the sum of x and the output of attention."
                ),
                {LAST_LINES: ('return x + attention(norm("norm_1", x)) + mlp(norm("norm_2", x))')},
            ),
            "mlp_first": (
                "Your MLP comes before attention. Attention comes first.",
                {LAST_LINES: ('x = x + mlp(norm("norm_2", x))\n    return x + attention(norm("norm_1", x))')},
            ),
            "added_to_the_old_x": (
                (
                    "You add the output of the MLP to the x from before attention. Add it to the sum of "
                    "x and the output of attention."
                ),
                {LAST_LINES: ('return x + mlp(norm("norm_2", x + attention(norm("norm_1", x))))')},
            ),
            "two_heads": (
                "You always use two heads. The argument n_head says how many there are.",
                {"(n_head,": "(2,"},
            ),
        },
    ),
    zeros_forbidden,
    *mistakes(
        by_functions,
        {
            "not_causal": (
                "Your attention has no causal mask: each position attends to later ones.",
                {
                    (
                        '"attention.projection",\n'
                        "            F.scaled_dot_product_attention(q, k, v, "
                        "is_causal=True).transpose(1, 2).flatten(2),"
                    ): (
                        '"attention.projection", F.scaled_dot_product_attention(q, k, '
                        "v).transpose(1, 2).flatten(2)"
                    )
                },
            ),
            "no_biases": (
                (
                    "You leave out the biases: each linear layer adds its bias after the product with "
                    "its weight."
                ),
                {
                    'F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])': (
                        'F.linear(y, weights[f"{name}.weight"]) + 0 * weights[f"{name}.bias"]'
                    )
                },
            ),
            "attention_without_biases": (
                (
                    "You leave out the biases of attention. causal_self_attention has none, so use its "
                    "parts: each linear layer adds its bias."
                ),
                {
                    'return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])': (
                        'bias = 0 if name.startswith("attention.") else weights[f"{name}.bias"]\n'
                        '        return F.linear(y, weights[f"{name}.weight"]) + bias'
                    )
                },
            ),
        },
    ),
    changes_x,
    *mistakes(
        by_functions,
        {
            "weights_not_transposed": (
                (
                    "You use the weights of attention without transposing them. A linear layer stores "
                    "its weight as (outputs, inputs), so it computes y @ weight.T."
                ),
                {
                    'return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])': (
                        'weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]\n'
                        "        return (y @ weight if weight.shape[0] == weight.shape[1] else y @ "
                        "weight.T) + bias"
                    )
                },
            ),
            "no_projection": (
                (
                    "The layer attention.projection is missing: the merged heads go through it before "
                    "they are added."
                ),
                {
                    (
                        "return linear(\n"
                        '            "attention.projection",\n'
                        "            F.scaled_dot_product_attention(q, k, v, "
                        "is_causal=True).transpose(1, 2).flatten(2),\n"
                        "        )"
                    ): (
                        "return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, "
                        "2).flatten(2)"
                    )
                },
            ),
            "one_head": (
                "You use a single head of full width. Split queries, keys and values into n_head heads.",
                {"(part.unflatten(-1, (n_head, -1)).transpose(1, 2)": "(part[:, None]"},
            ),
            "split_without_transpose": (
                (
                    "You reshape straight to (B, n_head, T, d_head): the shape is right, but tokens and "
                    "components are mixed."
                ),
                {
                    "(part.unflatten(-1, (n_head, -1)).transpose(1, 2)": (
                        "(part.reshape(len(x), n_head, x.shape[1], -1)"
                    )
                },
            ),
            "roles_exchanged": (
                "You exchange the roles of query, key and value: look at the names of the weights.",
                {'"key", "value"))': '"value", "key"))'},
            ),
            "relu": (
                "You use ReLU in the MLP. Here the activation is GELU.",
                {'F.gelu(linear("mlp.0",': 'F.relu(linear("mlp.0",'},
            ),
            "no_activation": (
                "Your MLP has no GELU between its two layers.",
                {'F.gelu(linear("mlp.0", y)))': 'linear("mlp.0", y))'},
            ),
            "no_gain_and_shift": (
                "Your LayerNorm does not use its weight and its bias: they are the gain and the shift.",
                {
                    'y.shape[-1:], weights[f"{name}.weight"],': (
                        'y.shape[-1:]) + 0 * (weights[f"{name}.weight"] +'
                    )
                },
            ),
            "dropout_active": (
                (
                    "Your output is different at every call, because dropout is active. F.dropout is "
                    "active unless you pass training=False. Here nothing is dropped."
                ),
                {
                    LAST_LINES: (
                        'x = x + F.dropout(attention(norm("norm_1", x)), 0.1)\n'
                        '    return x + F.dropout(mlp(norm("norm_2", x)), 0.1)'
                    )
                },
            ),
        },
    ),
    detached,
)
