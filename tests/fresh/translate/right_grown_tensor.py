# A tensor that grows by cat.
def translate(source, encode, decode, start, stop, limit):
    memory = encode(source)
    tokens = torch.full((1, 1), start, dtype=torch.long)
    for _ in range(limit):
        best = decode(memory, tokens)[:, -1].argmax(dim=-1, keepdim=True)  # (1, 1)
        if best.item() == stop:
            break
        tokens = torch.cat((tokens, best), dim=1)
    return tokens[0, 1:].tolist()
