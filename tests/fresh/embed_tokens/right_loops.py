# Token by token.
def embed_tokens(tokens, token_table, position_table):
    rows = []
    for row in tokens:
        rows.append(torch.stack([token_table[int(n)] + position_table[t] for t, n in enumerate(row)]))
    return torch.stack(rows)
