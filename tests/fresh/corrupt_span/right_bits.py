# makes its own whole numbers from random bits
def corrupt_span(document, block_size, rng):
    def below(n):
        return rng.getrandbits(48) % n

    top = block_size - math.ceil(block_size / 8)
    L = min(len(document), 4 + below(top - 3))
    m = min(1, L) if L < 4 else 1 + below(max(1, L // 2 - 1))
    s = below(L - m + 1)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
