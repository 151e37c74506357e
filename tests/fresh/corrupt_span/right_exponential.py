# an exponential length, cut off at L
def corrupt_span(document, block_size, rng):
    L = min(rng.choice(list(range(4, (block_size * 7) // 8 + 1))), len(document))
    m = min(L, 1 + int(rng.expovariate(4 / max(L, 1))))
    s = rng.sample(range(L - m + 1), 1)[0]
    characters = list(document[:L])
    span = characters[s:s + m]
    characters[s:s + m] = ["⁇"]
    return "".join(characters + ["⁇"] + span)
