# A token is drawn.
def translate(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(torch.multinomial(torch.softmax(decode(memory, torch.tensor([tokens]))[0, -1], dim=-1), 1))
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]
