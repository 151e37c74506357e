"""Fresh answers to translate, part 2 of 2."""


# The memory of the first source is kept.
wrong_memory_kept = """
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
"""


# Tokens without the batch axis.
def wrong_no_batch_axis(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor(tokens))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


# limit is not used.
def wrong_no_limit(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while True:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


# One token more than limit.
def wrong_one_more(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit + 1:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


# A token is drawn.
def wrong_sampled(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(torch.multinomial(torch.softmax(decode(memory, torch.tensor([tokens]))[0, -1], dim=-1), 1))
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


# The last token is always dropped.
def wrong_stop_dropped_at_end(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:-1]


# It ends if a token is repeated.
def wrong_stops_at_repeat(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop or token == tokens[-1]:
            break
        tokens.append(token)
    return tokens[1:]


# It also ends at a second start.
def wrong_stops_at_start(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token in (start, stop):
            break
        tokens.append(token)
    return tokens[1:]


# A tensor is returned.
def wrong_tensor(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return torch.tensor(tokens[1:])


# start is returned too.
def wrong_with_start(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens


# stop is returned too.
def wrong_with_stop(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        tokens.append(token)
        if token == stop:
            break
    return tokens[1:]


# stop is only accepted after one token.
def wrong_second_best_instead_of_stop(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop and len(tokens) > 1:
            break
        tokens.append(token)
    return tokens[1:]


# runs the encoder again in every step
def wrong_second_encodes_every_step(source, encode, decode, start, stop, limit):
    tokens = [start]
    while len(tokens) <= limit:
        token = int(decode(encode(source), torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]


# gives the decoder only the newest token
def wrong_second_last_token_only(source, encode, decode, start, stop, limit):
    memory, found, token = encode(source), [], start
    for _ in range(limit):
        token = int(decode(memory, torch.tensor([[token]]))[0, -1].argmax())
        if token == stop:
            break
        found.append(token)
    return found


# counts the start token in the limit, so one new token is missing
def wrong_second_one_too_few(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) < limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]
