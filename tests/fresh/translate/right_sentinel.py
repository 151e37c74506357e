# iter with a sentinel.
def translate(source, encode, decode, start, stop, limit):
    memory, tokens, new = encode(source), [start], []

    def step():
        if len(new) == limit:
            return stop
        tokens.append(int(decode(memory, torch.LongTensor([tokens]))[0, -1, :].argmax()))
        return tokens[-1]

    for token in iter(step, stop):
        new.append(token)
    return new
