# A generator, and a list made of it.
from itertools import islice


def translate(source, encode, decode, start, stop, limit):
    memory = encode(source)

    def written():
        tokens = [start]
        while True:
            tokens.append(decode(memory, torch.as_tensor(tokens).unsqueeze(0))[0][-1].topk(1).indices.item())
            if tokens[-1] == stop:
                return
            yield tokens[-1]

    return list(islice(written(), limit))
