"""Fresh answers to llama_states, second half."""

# Rotary logits depend on differences of positions, so they may be counted from 1.
def right_positions_from_one(tokens, weights, n_head, n_key_head, theta):
    table = weights["token_embedding.weight"]
    x = table[tokens]
    states, (B, T, d) = [x], x.shape
    angle = angles(torch.arange(1, T + 1), d // n_head, theta)
    for i in range(sum(name.endswith("norm_1.weight") for name in weights)):

        def w(name):
            return weights[f"blocks.{i}.{name}.weight"]

        def heads(name, count):
            return (y @ w("attention." + name).T).view(B, T, count, d // n_head).transpose(1, 2)

        y = F.rms_norm(x, (d,), w("norm_1"), 1e-5)
        q, k, v = heads("query", n_head), heads("key", n_key_head), heads("value", n_key_head)
        q, k = rotate(q, angle), rotate(k, angle)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + out.transpose(1, 2).reshape(B, T, d) @ w("attention.projection").T
        z = F.rms_norm(x, (d,), w("norm_2"), 1e-5)
        x = x + (F.silu(z @ w("mlp.gate").T) * (z @ w("mlp.up").T)) @ w("mlp.down").T
        states.append(x)
    return [*states, F.rms_norm(x, (d,), weights["norm.weight"], 1e-5) @ table.T]


# Angles for 64 positions; later ones get the last angle.
def wrong_sixty_four_positions(tokens, weights, n_head, n_key_head, theta):
    table = weights["token_embedding.weight"]
    x = table[tokens]
    states, (B, T, d) = [x], x.shape
    angle = angles(torch.arange(T).clamp(max=63), d // n_head, theta)
    for i in range(sum(name.endswith("norm_1.weight") for name in weights)):

        def w(name):
            return weights[f"blocks.{i}.{name}.weight"]

        def heads(name, count):
            return (y @ w("attention." + name).T).view(B, T, count, d // n_head).transpose(1, 2)

        y = F.rms_norm(x, (d,), w("norm_1"), 1e-5)
        q, k, v = heads("query", n_head), heads("key", n_key_head), heads("value", n_key_head)
        q, k = rotate(q, angle), rotate(k, angle)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + out.transpose(1, 2).reshape(B, T, d) @ w("attention.projection").T
        z = F.rms_norm(x, (d,), w("norm_2"), 1e-5)
        x = x + (F.silu(z @ w("mlp.gate").T) * (z @ w("mlp.up").T)) @ w("mlp.down").T
        states.append(x)
    return [*states, F.rms_norm(x, (d,), weights["norm.weight"], 1e-5) @ table.T]


# Weights of the same shapes are taken from the first call.
wrong_keeps_the_first_weights = """
KEPT = {}


def llama_states(tokens, weights, n_head, n_key_head, theta):
    shapes = tuple((name, weight.shape) for name, weight in weights.items())
    weights = KEPT.setdefault(shapes, {name: weight.clone() for name, weight in weights.items()})
    table = weights["token_embedding.weight"]
    x = table[tokens]
    states, (B, T, d) = [x], x.shape
    angle = angles(torch.arange(T), d // n_head, theta)
    for i in range(sum(name.endswith("norm_1.weight") for name in weights)):

        def w(name):
            return weights[f"blocks.{i}.{name}.weight"]

        def heads(name, count):
            return (y @ w("attention." + name).T).view(B, T, count, d // n_head).transpose(1, 2)

        y = F.rms_norm(x, (d,), w("norm_1"), 1e-5)
        q, k, v = heads("query", n_head), heads("key", n_key_head), heads("value", n_key_head)
        q, k = rotate(q, angle), rotate(k, angle)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + out.transpose(1, 2).reshape(B, T, d) @ w("attention.projection").T
        z = F.rms_norm(x, (d,), w("norm_2"), 1e-5)
        x = x + (F.silu(z @ w("mlp.gate").T) * (z @ w("mlp.up").T)) @ w("mlp.down").T
        states.append(x)
    return [*states, F.rms_norm(x, (d,), weights["norm.weight"], 1e-5) @ table.T]
"""


# Every norm has its epsilon, except the last one.
def wrong_last_norm_without_epsilon(tokens, weights, n_head, n_key_head, theta):
    table = weights["token_embedding.weight"]
    x = table[tokens]
    states, (B, T, d) = [x], x.shape
    angle = angles(torch.arange(T), d // n_head, theta)
    for i in range(sum(name.endswith("norm_1.weight") for name in weights)):

        def w(name):
            return weights[f"blocks.{i}.{name}.weight"]

        def heads(name, count):
            return (y @ w("attention." + name).T).view(B, T, count, d // n_head).transpose(1, 2)

        y = F.rms_norm(x, (d,), w("norm_1"), 1e-5)
        q, k, v = heads("query", n_head), heads("key", n_key_head), heads("value", n_key_head)
        q, k = rotate(q, angle), rotate(k, angle)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + out.transpose(1, 2).reshape(B, T, d) @ w("attention.projection").T
        z = F.rms_norm(x, (d,), w("norm_2"), 1e-5)
        x = x + (F.silu(z @ w("mlp.gate").T) * (z @ w("mlp.up").T)) @ w("mlp.down").T
        states.append(x)
    return [*states, F.rms_norm(x, (d,), weights["norm.weight"]) @ table.T]


# −100 in place of minus infinity
wrong_minus_hundred = """
def llama_states(tokens, weights, n_head, n_key_head, theta):
    x = weights["token_embedding.weight"][tokens]
    B, T, C = x.shape
    d, states = C // n_head, [x]
    phi = angles(torch.arange(T), d, theta)
    while f"blocks.{len(states) - 1}.norm_1.weight" in weights:
        get = lambda part: weights[f"blocks.{len(states) - 1}.{part}.weight"]
        y = F.rms_norm(x, (C,), get("norm_1"), 1e-5)
        q, k, v = ((y @ get("attention." + n).T).view(B, T, -1, d).transpose(1, 2) for n in ("query", "key", "value"))
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (rotate(k, phi), v))
        s = (rotate(q, phi) @ k.mT / d**0.5).masked_fill(torch.ones(T, T).triu(1).bool(), -100.0)
        x = x + (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C) @ get("attention.projection").T
        y = F.rms_norm(x, (C,), get("norm_2"), 1e-5)
        x = x + (F.silu(y @ get("mlp.gate").T) * (y @ get("mlp.up").T)) @ get("mlp.down").T
        states.append(x)
    states.append(F.rms_norm(x, (C,), weights["norm.weight"], 1e-5) @ weights["token_embedding.weight"].T)
    return states
"""
