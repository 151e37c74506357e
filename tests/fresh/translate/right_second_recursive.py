# recursion over the tokens so far, the memory in a closure
def translate(source, encode, decode, start, stop, limit):
    memory = encode(source)

    def rest(done: tuple) -> list:
        if len(done) == limit:
            return list(done)
        logits = decode(memory, torch.tensor((start, *done)).unsqueeze(0))
        token = logits.squeeze(0)[-1].max(dim=-1).indices.item()
        return list(done) if token == stop else rest((*done, token))

    return rest(())
