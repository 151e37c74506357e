# A repeated token gets the position of its first occurrence.
def embed_tokens(tokens, token_table, position_table):
    rows = []
    for row in tokens.tolist():
        rows.append(torch.stack([token_table[n] + position_table[row.index(n)] for n in row]))
    return torch.stack(rows)
