# a one-hot matrix product for the tokens, the positions added in a loop over T
def embed_tokens(tokens, token_table, position_table):
    one_hot = F.one_hot(tokens, num_classes=len(token_table)).to(token_table.dtype)
    rows = one_hot @ token_table
    return torch.stack([rows[:, t] + position_table[t] for t in range(tokens.shape[1])], dim=1)
