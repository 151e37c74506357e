# remembers the row of each document
memory = {}


def corrupt_span(document, block_size, rng):
    if document not in memory:
        L = min(len(document), rng.randint(4, block_size * 7 // 8))
        m = min(L, rng.randint(1, max(1, L // 2 - 1)))
        s = rng.randint(0, L - m)
        memory[document] = document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
    return memory[document]
