# two lookups with F.embedding, the positions as an index of the same shape as tokens
def embed_tokens(tokens, token_table, position_table):
    positions = torch.arange(tokens.size(-1), device=tokens.device).expand_as(tokens)
    return torch.add(F.embedding(tokens, token_table), F.embedding(positions, position_table))
