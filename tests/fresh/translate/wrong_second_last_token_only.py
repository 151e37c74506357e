# gives the decoder only the newest token
def translate(source, encode, decode, start, stop, limit):
    memory, found, token = encode(source), [], start
    for _ in range(limit):
        token = int(decode(memory, torch.tensor([[token]]))[0, -1].argmax())
        if token == stop:
            break
        found.append(token)
    return found
