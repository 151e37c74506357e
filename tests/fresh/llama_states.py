"""Fresh answers to llama_states."""

# With the functions of the notebook, written once more.
right_own_functions = """
def rms_norm(x, gain):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * gain


def swiglu(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


def grouped_attention(q, k, v):
    n = q.shape[1] // k.shape[1]
    return F.scaled_dot_product_attention(q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), is_causal=True)


def llama_states(tokens, weights, n_head, n_key_head, theta):
    x = weights["token_embedding.weight"][tokens]
    B, T, C = x.shape
    d_k = C // n_head
    phi = angles(torch.arange(T), d_k, theta)
    states = [x]
    n_layer = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(n_layer):
        get = lambda part: weights["blocks." + str(i) + "." + part + ".weight"]
        y = rms_norm(x, get("norm_1"))
        q = (y @ get("attention.query").T).reshape(B, T, n_head, d_k).transpose(1, 2)
        k = (y @ get("attention.key").T).reshape(B, T, n_key_head, d_k).transpose(1, 2)
        v = (y @ get("attention.value").T).reshape(B, T, n_key_head, d_k).transpose(1, 2)
        heads = grouped_attention(rotate(q, phi), rotate(k, phi), v)
        x = x + heads.transpose(1, 2).reshape(B, T, C) @ get("attention.projection").T
        x = x + swiglu(rms_norm(x, get("norm_2")), get("mlp.gate"), get("mlp.up"), get("mlp.down"))
        states.append(x)
    states.append(rms_norm(x, weights["norm.weight"]) @ weights["token_embedding.weight"].T)
    return states
"""

# A class that holds a block.
right_class = """
class OneBlock:
    def __init__(self, weights, number, n_head, n_key_head):
        start = f"blocks.{number}."
        self.w = {name[len(start):-len(".weight")]: w for name, w in weights.items() if name.startswith(start)}
        self.n_head, self.n_key_head = n_head, n_key_head

    def __call__(self, x, phi):
        w = self.w
        y = F.rms_norm(x, x.shape[-1:], w["norm_1"], eps=1e-5)
        heads = []
        d = x.shape[-1] // self.n_head
        keys = (y @ w["attention.key"].T).split(d, -1)
        values = (y @ w["attention.value"].T).split(d, -1)
        for j, query in enumerate((y @ w["attention.query"].T).split(d, -1)):
            g = j // (self.n_head // self.n_key_head)
            heads.append(F.scaled_dot_product_attention(rotate(query, phi), rotate(keys[g], phi), values[g], is_causal=True))
        x = x + torch.cat(heads, -1) @ w["attention.projection"].T
        y = F.rms_norm(x, x.shape[-1:], w["norm_2"], eps=1e-5)
        return x + (F.silu(y @ w["mlp.gate"].T) * (y @ w["mlp.up"].T)) @ w["mlp.down"].T


def llama_states(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    phi = angles(torch.arange(tokens.shape[-1]), E.shape[-1] // n_head, theta)
    run = [F.embedding(tokens, E)]
    number = 0
    while f"blocks.{number}.norm_1.weight" in weights:
        run.append(OneBlock(weights, number, n_head, n_key_head)(run[-1], phi))
        number += 1
    run.append(F.rms_norm(run[-1], E.shape[-1:], weights["norm.weight"], eps=1e-5) @ E.T)
    return run
"""


# A tuple is returned, and the blocks are found from the largest number.
def right_tuple(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    T, C = tokens.shape[1], E.shape[1]
    d = C // n_head
    phi = angles(torch.arange(T), d, theta)
    x = E[tokens]
    run = (x,)
    last = max(int(name.split(".")[1]) for name in weights if name.startswith("blocks"))
    norm = lambda x, g: x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * g  # noqa: E731
    for i in range(last + 1):
        p = f"blocks.{i}."
        y = norm(x, weights[p + "norm_1.weight"])
        q, k, v = (y @ weights[p + f"attention.{n}.weight"].T for n in ("query", "key", "value"))
        q = rotate(q.unflatten(-1, (n_head, d)).transpose(1, 2), phi)
        k = rotate(k.unflatten(-1, (n_key_head, d)).transpose(1, 2), phi)
        v = v.unflatten(-1, (n_key_head, d)).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + a.transpose(1, 2).flatten(-2) @ weights[p + "attention.projection.weight"].T
        z = norm(x, weights[p + "norm_2.weight"])
        g = z @ weights[p + "mlp.gate.weight"].T
        x = x + (g * g.sigmoid() * (z @ weights[p + "mlp.up.weight"].T)) @ weights[p + "mlp.down.weight"].T
        run += (x,)
    return (*run, norm(x, weights["norm.weight"]) @ E.T)


# Rotation with complex numbers, and a mask that is added.
def right_complex(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    B, T = tokens.shape
    d = E.shape[1] // n_head
    turn = torch.exp(1j * torch.outer(torch.arange(T).double(), theta ** (-torch.arange(0, d, 2).double() / d)))

    def turned(y, n):
        y = y.reshape(B, T, n, d // 2, 2).transpose(1, 2).contiguous()
        return torch.view_as_real(torch.view_as_complex(y) * turn).flatten(-2)

    def rms(x, name):
        return F.rms_norm(x, (x.shape[-1],), weights[name + ".weight"], 1e-5)

    run = [E[tokens]]
    for i in itertools.count():
        if f"blocks.{i}.norm_1.weight" not in weights:
            break
        W = lambda n, i=i: weights[f"blocks.{i}.{n}.weight"].mT  # noqa: E731
        x = run[-1]
        y = rms(x, f"blocks.{i}.norm_1")
        q, k = turned(y @ W("attention.query"), n_head), turned(y @ W("attention.key"), n_key_head)
        v = (y @ W("attention.value")).reshape(B, T, n_key_head, d).transpose(1, 2)
        r = n_head // n_key_head
        s = q @ k.repeat_interleave(r, 1).mT / d**0.5 + torch.full((T, T), -math.inf).triu(1)
        x = x + (s.softmax(-1) @ v.repeat_interleave(r, 1)).transpose(1, 2).flatten(2) @ W("attention.projection")
        y = rms(x, f"blocks.{i}.norm_2")
        run.append(x + (F.silu(y @ W("mlp.gate")) * (y @ W("mlp.up"))) @ W("mlp.down"))
    return [*run, rms(run[-1], "norm") @ E.mT]


# Learned positions do not exist: the embedding of the position's number is added.
def wrong_positions_added(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    x = E[tokens] + E[torch.arange(tokens.shape[1])]
    return [x, x @ E.T]


# Two blocks, whatever the weights hold.
def wrong_two_blocks(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    d = E.shape[1] // n_head
    phi = angles(torch.arange(tokens.shape[1]), d, theta)
    x = E[tokens]
    run = [x]
    for i in range(2):
        w = {n.split(".", 2)[2]: m for n, m in weights.items() if n.startswith(f"blocks.{i}.")}
        y = F.rms_norm(x, x.shape[-1:], w["norm_1.weight"], 1e-5)
        q = rotate((y @ w["attention.query.weight"].T).unflatten(-1, (n_head, d)).transpose(1, 2), phi)
        k = rotate((y @ w["attention.key.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2), phi)
        v = (y @ w["attention.value.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + a.transpose(1, 2).flatten(2) @ w["attention.projection.weight"].T
        y = F.rms_norm(x, x.shape[-1:], w["norm_2.weight"], 1e-5)
        x = x + (F.silu(y @ w["mlp.gate.weight"].T) * (y @ w["mlp.up.weight"].T)) @ w["mlp.down.weight"].T
        run.append(x)
    return run + [F.rms_norm(x, x.shape[-1:], weights["norm.weight"], 1e-5) @ E.T]


# The heads are merged by a reshape alone.
def wrong_merged_without_transpose(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    d = E.shape[1] // n_head
    phi = angles(torch.arange(tokens.shape[1]), d, theta)
    x = E[tokens]
    run = [x]
    for i in range(sum("norm_2" in n for n in weights)):
        w = {n.split(".", 2)[2]: m for n, m in weights.items() if n.startswith(f"blocks.{i}.")}
        y = F.rms_norm(x, x.shape[-1:], w["norm_1.weight"], 1e-5)
        q = rotate((y @ w["attention.query.weight"].T).unflatten(-1, (n_head, d)).transpose(1, 2), phi)
        k = rotate((y @ w["attention.key.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2), phi)
        v = (y @ w["attention.value.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + a.reshape(x.shape) @ w["attention.projection.weight"].T
        y = F.rms_norm(x, x.shape[-1:], w["norm_2.weight"], 1e-5)
        x = x + (F.silu(y @ w["mlp.gate.weight"].T) * (y @ w["mlp.up.weight"].T)) @ w["mlp.down.weight"].T
        run.append(x)
    return run + [F.rms_norm(x, x.shape[-1:], weights["norm.weight"], 1e-5) @ E.T]


# No causal mask.
def wrong_not_causal(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    d = E.shape[1] // n_head
    phi = angles(torch.arange(tokens.shape[1]), d, theta)
    x = E[tokens]
    run = [x]
    for i in range(sum("norm_2" in n for n in weights)):
        w = {n.split(".", 2)[2]: m for n, m in weights.items() if n.startswith(f"blocks.{i}.")}
        y = F.rms_norm(x, x.shape[-1:], w["norm_1.weight"], 1e-5)
        q = rotate((y @ w["attention.query.weight"].T).unflatten(-1, (n_head, d)).transpose(1, 2), phi)
        k = rotate((y @ w["attention.key.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2), phi)
        v = (y @ w["attention.value.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
        x = x + a.transpose(1, 2).flatten(2) @ w["attention.projection.weight"].T
        y = F.rms_norm(x, x.shape[-1:], w["norm_2.weight"], 1e-5)
        x = x + (F.silu(y @ w["mlp.gate.weight"].T) * (y @ w["mlp.up.weight"].T)) @ w["mlp.down.weight"].T
        run.append(x)
    return run + [F.rms_norm(x, x.shape[-1:], weights["norm.weight"], 1e-5) @ E.T]


# The output of the last block is left out.
def wrong_last_state_left_out(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    d = E.shape[1] // n_head
    phi = angles(torch.arange(tokens.shape[1]), d, theta)
    x = E[tokens]
    run = [x]
    for i in range(sum("norm_2" in n for n in weights)):
        w = {n.split(".", 2)[2]: m for n, m in weights.items() if n.startswith(f"blocks.{i}.")}
        y = F.rms_norm(x, x.shape[-1:], w["norm_1.weight"], 1e-5)
        q = rotate((y @ w["attention.query.weight"].T).unflatten(-1, (n_head, d)).transpose(1, 2), phi)
        k = rotate((y @ w["attention.key.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2), phi)
        v = (y @ w["attention.value.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + a.transpose(1, 2).flatten(2) @ w["attention.projection.weight"].T
        y = F.rms_norm(x, x.shape[-1:], w["norm_2.weight"], 1e-5)
        x = x + (F.silu(y @ w["mlp.gate.weight"].T) * (y @ w["mlp.up.weight"].T)) @ w["mlp.down.weight"].T
        run.append(x)
    return run[:-1] + [F.rms_norm(x, x.shape[-1:], weights["norm.weight"], 1e-5) @ E.T]


# The last norm has no gain.
def wrong_norm_of_logits(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    d = E.shape[1] // n_head
    phi = angles(torch.arange(tokens.shape[1]), d, theta)
    x = E[tokens]
    run = [x]
    for i in range(sum("norm_2" in n for n in weights)):
        w = {n.split(".", 2)[2]: m for n, m in weights.items() if n.startswith(f"blocks.{i}.")}
        y = F.rms_norm(x, x.shape[-1:], w["norm_1.weight"], 1e-5)
        q = rotate((y @ w["attention.query.weight"].T).unflatten(-1, (n_head, d)).transpose(1, 2), phi)
        k = rotate((y @ w["attention.key.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2), phi)
        v = (y @ w["attention.value.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + a.transpose(1, 2).flatten(2) @ w["attention.projection.weight"].T
        y = F.rms_norm(x, x.shape[-1:], w["norm_2.weight"], 1e-5)
        x = x + (F.silu(y @ w["mlp.gate.weight"].T) * (y @ w["mlp.up.weight"].T)) @ w["mlp.down.weight"].T
        run.append(x)
    return run + [F.rms_norm(x, x.shape[-1:], None, 1e-5) @ E.T]


# The MLP gets the normalised x from before attention.
def wrong_mlp_of_x(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    d = E.shape[1] // n_head
    phi = angles(torch.arange(tokens.shape[1]), d, theta)
    x = E[tokens]
    run = [x]
    for i in range(sum("norm_2" in n for n in weights)):
        w = {n.split(".", 2)[2]: m for n, m in weights.items() if n.startswith(f"blocks.{i}.")}
        y = F.rms_norm(x, x.shape[-1:], w["norm_1.weight"], 1e-5)
        q = rotate((y @ w["attention.query.weight"].T).unflatten(-1, (n_head, d)).transpose(1, 2), phi)
        k = rotate((y @ w["attention.key.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2), phi)
        v = (y @ w["attention.value.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + a.transpose(1, 2).flatten(2) @ w["attention.projection.weight"].T
        x = x + (F.silu(y @ w["mlp.gate.weight"].T) * (y @ w["mlp.up.weight"].T)) @ w["mlp.down.weight"].T
        run.append(x)
    return run + [F.rms_norm(x, x.shape[-1:], weights["norm.weight"], 1e-5) @ E.T]


# A smaller ε.
def wrong_epsilon(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    d = E.shape[1] // n_head
    phi = angles(torch.arange(tokens.shape[1]), d, theta)
    x = E[tokens]
    run = [x]
    for i in range(sum("norm_2" in n for n in weights)):
        w = {n.split(".", 2)[2]: m for n, m in weights.items() if n.startswith(f"blocks.{i}.")}
        y = F.rms_norm(x, x.shape[-1:], w["norm_1.weight"], 1e-2)
        q = rotate((y @ w["attention.query.weight"].T).unflatten(-1, (n_head, d)).transpose(1, 2), phi)
        k = rotate((y @ w["attention.key.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2), phi)
        v = (y @ w["attention.value.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + a.transpose(1, 2).flatten(2) @ w["attention.projection.weight"].T
        y = F.rms_norm(x, x.shape[-1:], w["norm_2.weight"], 1e-2)
        x = x + (F.silu(y @ w["mlp.gate.weight"].T) * (y @ w["mlp.up.weight"].T)) @ w["mlp.down.weight"].T
        run.append(x)
    return run + [F.rms_norm(x, x.shape[-1:], weights["norm.weight"], 1e-2) @ E.T]


# The projection is not transposed.
def wrong_projection_not_transposed(tokens, weights, n_head, n_key_head, theta):
    E = weights["token_embedding.weight"]
    d = E.shape[1] // n_head
    phi = angles(torch.arange(tokens.shape[1]), d, theta)
    x = E[tokens]
    run = [x]
    for i in range(sum("norm_2" in n for n in weights)):
        w = {n.split(".", 2)[2]: m for n, m in weights.items() if n.startswith(f"blocks.{i}.")}
        y = F.rms_norm(x, x.shape[-1:], w["norm_1.weight"], 1e-5)
        q = rotate((y @ w["attention.query.weight"].T).unflatten(-1, (n_head, d)).transpose(1, 2), phi)
        k = rotate((y @ w["attention.key.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2), phi)
        v = (y @ w["attention.value.weight"].T).unflatten(-1, (n_key_head, d)).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + a.transpose(1, 2).flatten(2) @ w["attention.projection.weight"]
        y = F.rms_norm(x, x.shape[-1:], w["norm_2.weight"], 1e-5)
        x = x + (F.silu(y @ w["mlp.gate.weight"].T) * (y @ w["mlp.up.weight"].T)) @ w["mlp.down.weight"].T
        run.append(x)
    return run + [F.rms_norm(x, x.shape[-1:], weights["norm.weight"], 1e-5) @ E.T]
