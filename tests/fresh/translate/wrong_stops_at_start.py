# It also ends at a second start.
def translate(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token in (start, stop):
            break
        tokens.append(token)
    return tokens[1:]
