"""Fresh answers to embed_tokens."""


# F.embedding for both tables.
def right_functional(tokens, token_table, position_table):
    positions = torch.arange(tokens.shape[1])
    return F.embedding(tokens, token_table) + F.embedding(positions, position_table)


# index_select on one axis, then unflattened; positions by narrow.
def right_index_select(tokens, token_table, position_table):
    B, T = tokens.shape
    return token_table.index_select(0, tokens.flatten()).unflatten(0, (B, T)).add(position_table.narrow(0, 0, T)[None])


# Token by token.
def right_loops(tokens, token_table, position_table):
    rows = []
    for row in tokens:
        rows.append(torch.stack([token_table[int(n)] + position_table[t] for t, n in enumerate(row)]))
    return torch.stack(rows)


# One-hot vectors times the tables.
def right_one_hot(tokens, token_table, position_table):
    one_hot = F.one_hot(tokens, len(token_table)).to(token_table.dtype)
    return one_hot @ token_table + torch.eye(tokens.size(1), len(position_table), dtype=position_table.dtype) @ position_table


# With the axis of tokens in front, then exchanged.
def right_tokens_first(tokens, token_table, position_table):
    return (token_table[tokens.T] + position_table[: tokens.shape[1], None]).transpose(0, 1)


# two lookups with F.embedding, the positions as an index of the same shape as tokens
def right_second_functional_embedding(tokens, token_table, position_table):
    positions = torch.arange(tokens.size(-1), device=tokens.device).expand_as(tokens)
    return torch.add(F.embedding(tokens, token_table), F.embedding(positions, position_table))


# a one-hot matrix product for the tokens, the positions added in a loop over T
def right_second_one_hot(tokens, token_table, position_table):
    one_hot = F.one_hot(tokens, num_classes=len(token_table)).to(token_table.dtype)
    rows = one_hot @ token_table
    return torch.stack([rows[:, t] + position_table[t] for t in range(tokens.shape[1])], dim=1)


# The whole position table is added.
def wrong_all_positions(tokens, token_table, position_table):
    return token_table[tokens] + position_table


# Each row of the batch gets a position, not each token.
def wrong_by_row(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[0]].unsqueeze(1)


# Concatenated instead of added.
def wrong_concatenated(tokens, token_table, position_table):
    T = tokens.shape[1]
    return torch.cat((token_table[tokens], position_table[:T].expand(len(tokens), -1, -1)), dim=-1)


# A repeated token gets the position of its first occurrence.
def wrong_distinct_positions(tokens, token_table, position_table):
    rows = []
    for row in tokens.tolist():
        rows.append(torch.stack([token_table[n] + position_table[row.index(n)] for n in row]))
    return torch.stack(rows)


# Positions are counted from 1.
def wrong_from_one(tokens, token_table, position_table):
    T = tokens.shape[1]
    return token_table[tokens] + position_table[torch.arange(1, T + 1) % len(position_table)]


# torch's Embedding with frozen copies of these tables.
def wrong_frozen_modules(tokens, token_table, position_table):
    words = torch.nn.Embedding.from_pretrained(token_table)
    places = torch.nn.Embedding.from_pretrained(position_table)
    return words(tokens) + places(torch.arange(tokens.shape[-1]).expand_as(tokens))


# The last rows of the position table.
def wrong_last_positions(tokens, token_table, position_table):
    return token_table[tokens] + position_table[-tokens.shape[1] :]


# The mean of both.
def wrong_mean(tokens, token_table, position_table):
    return (token_table[tokens] + position_table[: tokens.shape[1]]) / 2


# Token embeddings alone.
def wrong_no_positions(tokens, token_table, position_table):
    return token_table[tokens]


# Token 0 is thought to be padding and gets no token embedding.
def wrong_padding_zero(tokens, token_table, position_table):
    words = token_table[tokens].masked_fill((tokens == 0)[..., None], 0.0)
    return words + position_table[: tokens.shape[1]]


# The position table is indexed by the tokens.
def wrong_positions_by_token(tokens, token_table, position_table):
    return token_table[tokens] + position_table[tokens % len(position_table)]


# The positions of the first call are kept.
wrong_saved_positions = """
places = None


def embed_tokens(tokens, token_table, position_table):
    global places
    if places is None:
        places = position_table[: tokens.shape[1]]
    return token_table[tokens] + places[: tokens.shape[1]]
"""


# Embeddings are multiplied by the root of d, as in the paper of 2017.
def wrong_scaled(tokens, token_table, position_table):
    return token_table[tokens] * math.sqrt(token_table.shape[1]) + position_table[: tokens.shape[1]]


# The position table is changed.
def wrong_table_in_place(tokens, token_table, position_table):
    out = position_table[: tokens.shape[1]]
    out += token_table[tokens[0]]
    return out.expand(len(tokens), -1, -1) - token_table[tokens[0]] + token_table[tokens]


# takes the last T rows of the position table
def wrong_second_last_positions(tokens, token_table, position_table):
    return token_table[tokens] + position_table[-tokens.shape[1] :]


# each text of the batch gets one position row, counted along the batch
def wrong_second_position_per_text(tokens, token_table, position_table):
    positions = torch.arange(tokens.shape[0]) % len(position_table)
    return token_table[tokens] + position_table[positions][:, None, :]


# the token table gets no gradient
def wrong_second_table_detached(tokens, token_table, position_table):
    return F.embedding(tokens, token_table.data) + position_table[: tokens.shape[1]]


# positions cut by the vocabulary: wrong for long texts
def wrong_cut(tokens, token_table, position_table):
    places = torch.arange(tokens.shape[1]).clamp(max=len(token_table) - 1)
    return token_table[tokens] + position_table[places]


# positions from 64 on are that of 63
def wrong_64(tokens, token_table, position_table):
    places = torch.arange(tokens.shape[1]).clamp(max=63)
    return token_table[tokens] + position_table[places]


# Tokens as bytes: 256 becomes 0.
def wrong_fourth_bytes(tokens, token_table, position_table):
    return token_table[tokens.to(torch.uint8).long()] + position_table[: tokens.shape[1]]


# From position 512 on the positions begin anew.
def wrong_fourth_512_positions(tokens, token_table, position_table):
    return token_table[tokens] + position_table[torch.arange(tokens.shape[1]) % 512]


# padding_idx = 0: the numbers are right, but token 0's row gets no gradient.
def wrong_tenth_padding_idx(tokens, token_table, position_table):
    return F.embedding(tokens, token_table, padding_idx=0) + position_table[: tokens.shape[1]]
