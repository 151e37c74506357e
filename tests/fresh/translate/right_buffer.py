# A tensor of full length, cut for each call.
@torch.no_grad()
def translate(source, encode, decode, start, stop, limit):
    memory = encode(source)
    row = torch.empty(1, limit + 1, dtype=torch.int64)
    row[0, 0] = start
    for t in range(1, limit + 1):
        row[0, t] = decode(memory, row[:, :t])[0, t - 1].argmax()
        if row[0, t] == stop:
            return row[0, 1:t].tolist()
    return row[0, 1:].tolist()
