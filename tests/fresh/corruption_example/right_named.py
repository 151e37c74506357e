# a named tuple
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


from collections import namedtuple

Example = namedtuple("Example", "x y")


def corruption_example(document, block_size, stoi, rng):
    text = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    encode = lambda piece: torch.tensor([stoi[each] for each in piece])
    return Example(x=encode(text[:-1]), y=encode(text[1:]))
