# F.embedding for both tables.
def embed_tokens(tokens, token_table, position_table):
    positions = torch.arange(tokens.shape[1])
    return F.embedding(tokens, token_table) + F.embedding(positions, position_table)
