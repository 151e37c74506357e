"""Fresh answers to induction_mask."""


# nonzero pairs.
def right_nonzero(tokens):
    T = tokens.numel()
    mask = torch.zeros(T, T, dtype=torch.bool)
    t, j = torch.nonzero(tokens[:, None] == tokens[None, :], as_tuple=True)
    keep = j < t
    mask[t[keep], j[keep] + 1] = True
    return mask


# cat with a column of False.
def right_column(tokens):
    same = tokens.view(-1, 1).eq(tokens.view(1, -1)) & torch.ones(len(tokens), len(tokens)).tril(-1).bool()
    return torch.cat((torch.zeros(len(tokens), 1, dtype=torch.bool), same[:, :-1]), dim=1)


# A list of lists.
def right_lists(tokens):
    ids = tokens.tolist()
    return torch.tensor(
        [[0 < i <= t and ids[i - 1] == ids[t] for i in range(len(ids))] for t in range(len(ids))]
    )


# Row by row, with a slice.
def right_rows(tokens):
    T = len(tokens)
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(1, T):
        mask[t, 1 : t + 1] = tokens[:t] == tokens[t]
    return mask


# i < t in place of i ≤ t.
def wrong_strictly_before(tokens):
    ids = tokens.tolist()
    return torch.tensor(
        [[0 < i < t and ids[i - 1] == ids[t] for i in range(len(ids))] for t in range(len(ids))]
    )


# Compares with token t − 1.
def wrong_compares_previous(tokens):
    T = len(tokens)
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(1, T):
        for i in range(1, t + 1):
            mask[t, i] = tokens[i - 1] == tokens[t - 1]
    return mask


# roll without clearing the first column.
def wrong_roll(tokens):
    same = (tokens[:, None] == tokens[None, :]).tril(-1)
    return same.roll(1, dims=0)


# Upper triangle.
def wrong_upper(tokens):
    same = (tokens[:, None] == tokens[None, :]).triu(1)
    mask = torch.zeros_like(same)
    mask[:, 1:] = same[:, :-1]
    return mask


# Only the most recent one.
def wrong_most_recent(tokens):
    last, T = {}, len(tokens)
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t, token in enumerate(tokens.tolist()):
        if token in last:
            mask[t, last[token] + 1] = True
        last[token] = t
    return mask


# Places of the tokens as a list.
def wrong_indices(tokens):
    ids = tokens.tolist()
    return [[i for i in range(1, t + 1) if ids[i - 1] == ids[t]] for t in range(len(ids))]


# Column 0 is True for new tokens, "nowhere else to look".
def wrong_first_column(tokens):
    T = len(tokens)
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        mask[t, 1 : t + 1] = tokens[:t] == tokens[t]
        if not mask[t].any():
            mask[t, 0] = True
    return mask


# uint8 has 256 values, so 300 and 44 are one token.
def wrong_uint8(tokens):
    small = tokens.to(torch.uint8)
    return F.pad(small[:, None] == small, (1, 0))[:, :-1].tril()


# bfloat16 rounds 301 to 300 or 302.
def wrong_bfloat16(tokens):
    near = tokens.to(torch.bfloat16)
    return F.pad(near[:, None] == near, (1, 0))[:, :-1].tril()


# Places that are more than 40 positions back are left out.
def wrong_within_forty(tokens):
    return F.pad(tokens[:, None] == tokens, (1, 0))[:, :-1].tril().triu(-40)


# tokens are compared in float16: neighbours above 2,048 are equal
def wrong_float16(tokens):
    small = tokens.half()
    return F.pad((small[:, None] == small)[:, :-1], (1, 0)).tril()


# the earlier place itself, not the one after it
def wrong_same_place(tokens):
    return (tokens[:, None] == tokens).tril(-1)


# the later ones count, too
def wrong_future(tokens):
    return F.pad((tokens[:, None] == tokens)[:, :-1], (1, 0))


# places more than 200 positions back are left out
def wrong_fourth_within_256(tokens):
    T = len(tokens)
    m = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(max(1, t - 200), t + 1):
            m[t, i] = tokens[i - 1] == tokens[t]
    return m
