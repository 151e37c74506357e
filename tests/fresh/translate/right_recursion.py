# Recursion over the tokens so far.
def translate(source, encode, decode, start, stop, limit):
    memory = encode(source)

    def rest(tokens):
        if len(tokens) > limit:
            return []
        new = decode(memory, torch.tensor([tokens])).squeeze(0)[-1].max(dim=0).indices.item()
        return [] if new == stop else [new, *rest([*tokens, new])]

    return rest([start])
