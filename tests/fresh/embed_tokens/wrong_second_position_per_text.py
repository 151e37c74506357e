# each text of the batch gets one position row, counted along the batch
def embed_tokens(tokens, token_table, position_table):
    positions = torch.arange(tokens.shape[0]) % len(position_table)
    return token_table[tokens] + position_table[positions][:, None, :]
