# numpy integers in the list.
def translate(source, encode, decode, start, stop, limit):
    import numpy as np

    memory, new = encode(source), []
    while len(new) < limit:
        logits = decode(memory, torch.tensor([[start] + [int(t) for t in new]]))
        token = np.argmax(logits[0, -1].detach().numpy())
        if token == stop:
            return new
        new.append(token)
    return new
