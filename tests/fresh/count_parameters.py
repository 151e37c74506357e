"""Fresh answers to count_parameters."""


# Counted in the course's own model, on a device without numbers.
def right_course_model(vocab_size, block_size, n_layer, n_head, d_model):
    from kqa_core.model import GPT, GPTConfig

    with torch.device("meta"):
        model = GPT(GPTConfig(vocab_size=vocab_size, block_size=block_size, n_layer=n_layer, n_head=n_head, d_model=d_model))
    return sum(p.numel() for p in model.parameters())


# The products of a list of shapes.
def right_list_of_shapes(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    shapes = [(vocab_size, d), (block_size, d), (vocab_size, d), (d,), (d,)]
    for _ in range(n_layer):
        shapes += 4 * [(d, d), (d,)] + [(d, 4 * d), (4 * d,), (4 * d, d), (d,)] + 4 * [(d,)]
    return sum(math.prod(shape) for shape in shapes)


# A numpy integer.
right_numpy_integer = """
import numpy as np


def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    d = np.int64(d_model)
    block = np.array([4 * d * d, 4 * d, 8 * d * d, 5 * d, 4 * d]).sum()
    return n_layer * block + d * (2 * vocab_size + block_size + 2)
"""


# Summed head by head.
def right_per_head(vocab_size, block_size, n_layer, n_head, d_model):
    d, d_k = d_model, d_model // n_head
    heads = sum(3 * (d + 1) * d_k for _ in range(n_head))
    per_block = heads + (d + 1) * d + (d + 1) * 4 * d + (4 * d + 1) * d + 2 * 2 * d
    return per_block * n_layer + vocab_size * d * 2 + block_size * d + 2 * d


# A sympy polynomial, evaluated: a sympy integer.
def right_sympy_integer(vocab_size, block_size, n_layer, n_head, d_model):
    d, n = sp.symbols("d n")
    formula = n * (12 * d**2 + 13 * d) + (2 * vocab_size + block_size + 2) * d
    return formula.subs({d: d_model, n: n_layer})


# Counted in modules of torch.
def right_torch_modules(vocab_size, block_size, n_layer, n_head, d_model):
    nn, d = torch.nn, d_model
    block = nn.ModuleList([nn.Linear(d, d) for _ in range(4)] + [nn.Linear(d, 4 * d), nn.Linear(4 * d, d), nn.LayerNorm(d), nn.LayerNorm(d)])
    rest = nn.ModuleList([nn.Embedding(vocab_size, d), nn.Embedding(block_size, d), nn.LayerNorm(d), nn.Linear(d, vocab_size, bias=False)])
    count = lambda part: sum(map(torch.Tensor.numel, part.parameters()))
    return count(rest) + n_layer * count(block)


# the shapes of all tensors in a list, multiplied out
def right_second_list_of_shapes(vocab_size, block_size, n_layer, n_head, d_model):
    linear = lambda inputs, outputs: [(outputs, inputs), (outputs,)]
    block = 2 * [(d_model,), (d_model,)]
    for _ in range(4):
        block += linear(d_model, d_model)
    block += linear(d_model, 4 * d_model) + linear(4 * d_model, d_model)
    shapes = [(vocab_size, d_model), (block_size, d_model), (d_model,), (d_model,), (d_model, vocab_size)]
    return sum(math.prod(shape) for shape in shapes) + n_layer * sum(map(math.prod, block))


# one block at a time by recursion, the rest in the base case
def right_second_recursive_layers(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    if n_layer == 0:
        return 2 * vocab_size * d + block_size * d + 2 * d
    attention = 4 * (d + 1) * d
    mlp = (d + 1) * 4 * d + (4 * d + 1) * d
    return attention + mlp + 2 * (2 * d) + count_parameters(vocab_size, block_size, n_layer - 1, n_head, d)


# Both biases of the MLP have d components.
def wrong_bias_of_mlp(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 10 * d) + (2 * vocab_size + block_size + 2) * d


# Everything is multiplied by the number of blocks.
def wrong_embeddings_in_every_block(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 13 * d + (2 * vocab_size + block_size + 2) * d)


# The output head has a bias.
def wrong_head_bias(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 13 * d) + (2 * vocab_size + block_size + 2) * d + vocab_size


# The mask of each block is counted as parameters.
def wrong_mask_counted(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 13 * d + block_size**2) + (2 * vocab_size + block_size + 2) * d


# In millions.
def wrong_millions(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return (n_layer * (12 * d * d + 13 * d) + (2 * vocab_size + block_size + 2) * d) / 1e6


# Attention has no biases.
def wrong_no_attention_biases(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 9 * d) + (2 * vocab_size + block_size + 2) * d


# The last LayerNorm is missing.
def wrong_no_last_norm(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 13 * d) + (2 * vocab_size + block_size) * d


# The position table is missing.
def wrong_no_positions(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 13 * d) + (2 * vocab_size + 2) * d


# A LayerNorm has no shift.
def wrong_norm_gain_only(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 11 * d) + (2 * vocab_size + block_size + 1) * d


# One LayerNorm in each block.
def wrong_one_norm_in_a_block(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 11 * d) + (2 * vocab_size + block_size + 2) * d


# Each head has matrices of full size.
def wrong_per_head(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (3 * n_head * (d * d + d) + d * d + d + 8 * d * d + 9 * d) + (2 * vocab_size + block_size + 2) * d


# The rule of thumb for the blocks.
def wrong_rule_of_thumb(vocab_size, block_size, n_layer, n_head, d_model):
    return 12 * n_layer * d_model**2 + (2 * vocab_size + block_size) * d_model


# The output head shares the token table.
def wrong_shared_head(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (12 * d * d + 13 * d) + (vocab_size + block_size + 2) * d


# The output projection is missing.
def wrong_three_projections(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    return n_layer * (11 * d * d + 12 * d) + (2 * vocab_size + block_size + 2) * d


# counts the attention maps once for each head with the width d // n_head, but W_O with the full size per head
def wrong_second_heads_multiply(vocab_size, block_size, n_layer, n_head, d_model):
    d_k = d_model // n_head
    attention = n_head * 3 * (d_model * d_k + d_k) + n_head * (d_model**2 + d_model)
    block = attention + 8 * d_model**2 + 5 * d_model + 4 * d_model
    return 2 * vocab_size * d_model + block_size * d_model + n_layer * block + 2 * d_model


# forgets the LayerNorm behind the last block
def wrong_second_last_norm_missing(vocab_size, block_size, n_layer, n_head, d_model):
    block = 4 * (d_model**2 + d_model) + 8 * d_model**2 + 5 * d_model + 4 * d_model
    return 2 * vocab_size * d_model + block_size * d_model + n_layer * block


# gives the second map of the MLP a bias of 4 d numbers
def wrong_second_second_mlp_bias(vocab_size, block_size, n_layer, n_head, d_model):
    d = d_model
    mlp = d * 4 * d + 4 * d + 4 * d * d + 4 * d
    block = 4 * (d * d + d) + mlp + 2 * 2 * d
    return vocab_size * d + block_size * d + n_layer * block + 2 * d + d * vocab_size


# Adds in float32: not exact beyond 16 million.
def wrong_float32(vocab_size, block_size, n_layer, n_head, d_model):
    d = torch.tensor(float(d_model))
    return int(2 * vocab_size * d + block_size * d + n_layer * (12 * d**2 + 13 * d) + 2 * d)


# 32 bits: numbers below 2³¹ fit.
def right_fourth_int32(vocab_size, block_size, n_layer, n_head, d_model):
    d = torch.tensor(d_model, dtype=torch.int32)
    return int(d * (2 * vocab_size + block_size + 2) + n_layer * d * (12 * d + 13))
