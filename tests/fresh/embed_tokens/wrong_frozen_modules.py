# torch's Embedding with frozen copies of these tables.
def embed_tokens(tokens, token_table, position_table):
    words = torch.nn.Embedding.from_pretrained(token_table)
    places = torch.nn.Embedding.from_pretrained(position_table)
    return words(tokens) + places(torch.arange(tokens.shape[-1]).expand_as(tokens))
