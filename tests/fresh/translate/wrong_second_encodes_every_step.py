# runs the encoder again in every step
def translate(source, encode, decode, start, stop, limit):
    tokens = [start]
    while len(tokens) <= limit:
        token = int(decode(encode(source), torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]
