# One-hot vectors times the tables.
def embed_tokens(tokens, token_table, position_table):
    one_hot = F.one_hot(tokens, len(token_table)).to(token_table.dtype)
    return one_hot @ token_table + torch.eye(tokens.size(1), len(position_table), dtype=position_table.dtype) @ position_table
