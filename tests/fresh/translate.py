"""Fresh answers to translate."""


# A tensor of full length, cut for each call.
right_buffer = """
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
"""

# A generator, and a list made of it.
right_generator = """
from itertools import islice
def translate(source, encode, decode, start, stop, limit):
    memory = encode(source)
    def written():
        tokens = [start]
        while True:
            tokens.append(decode(memory, torch.as_tensor(tokens).unsqueeze(0))[0][-1].topk(1).indices.item())
            if tokens[-1] == stop:
                return
            yield tokens[-1]
    return list(islice(written(), limit))
"""

# A tensor that grows by cat.
def right_grown_tensor(source, encode, decode, start, stop, limit):
    memory = encode(source)
    tokens = torch.full((1, 1), start, dtype=torch.long)
    for _ in range(limit):
        best = decode(memory, tokens)[:, -1].argmax(dim=-1, keepdim=True)  # (1, 1)
        if best.item() == stop:
            break
        tokens = torch.cat((tokens, best), dim=1)
    return tokens[0, 1:].tolist()

# numpy integers in the list.
def right_numpy_integers(source, encode, decode, start, stop, limit):
    import numpy as np
    memory, new = encode(source), []
    while len(new) < limit:
        logits = decode(memory, torch.tensor([[start] + [int(t) for t in new]]))
        token = np.argmax(logits[0, -1].detach().numpy())
        if token == stop:
            return new
        new.append(token)
    return new

# Recursion over the tokens so far.
def right_recursion(source, encode, decode, start, stop, limit):
    memory = encode(source)
    def rest(tokens):
        if len(tokens) > limit:
            return []
        new = decode(memory, torch.tensor([tokens])).squeeze(0)[-1].max(dim=0).indices.item()
        return [] if new == stop else [new, *rest([*tokens, new])]
    return rest([start])

# iter with a sentinel.
def right_sentinel(source, encode, decode, start, stop, limit):
    memory, tokens, new = encode(source), [start], []
    def step():
        if len(new) == limit:
            return stop
        tokens.append(int(decode(memory, torch.LongTensor([tokens]))[0, -1, :].argmax()))
        return tokens[-1]
    for token in iter(step, stop):
        new.append(token)
    return new

# a generator with its own memory, collected by list
def right_second_generator(source, encode, decode, start, stop, limit):
    def words(memory):
        tokens = torch.tensor([[start]], dtype=torch.int64)
        for _ in range(limit):
            best = decode(memory, tokens)[0, -1].argmax()
            if best == stop:
                return
            yield int(best)
            tokens = torch.cat((tokens, best.view(1, 1)), dim=1)
    return list(words(encode(source)))

# recursion over the tokens so far, the memory in a closure
def right_second_recursive(source, encode, decode, start, stop, limit):
    memory = encode(source)
    def rest(done: tuple) -> list:
        if len(done) == limit:
            return list(done)
        logits = decode(memory, torch.tensor((start, *done)).unsqueeze(0))
        token = logits.squeeze(0)[-1].max(dim=-1).indices.item()
        return list(done) if token == stop else rest((*done, token))
    return rest(())

# At most 20 tokens.
def wrong_cap(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= min(limit, 20):
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]

# encode is called for each token.
def wrong_encodes_each_time(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(encode(source), torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]

# The logits of the first position.
def wrong_first_position(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, 0].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]

# It never stops.
def wrong_ignores_stop(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        tokens.append(token)
    return tokens[1:]

# Tokens as int32.
def wrong_int32(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens], dtype=torch.int32))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]

# The decoder gets the last token only.
def wrong_last_token_only(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens[-1:]]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]

# start counts in the limit.
def wrong_limit_counts_start(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) < limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    return tokens[1:]

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


# Ends also when a token repeats.
def wrong_stop_at_repeat(source, encode, decode, start, stop, limit):
    memory = encode(source)
    out = []
    while len(out) < limit:
        logits = decode(memory, torch.tensor([[start] + out]))
        token = int(logits[0, -1].argmax())
        if token == stop or out[-1:] == [token]:
            break
        out.append(token)
    return out


# The encoder runs a second time, for nothing.
def wrong_fourth_encodes_again(source, encode, decode, start, stop, limit):
    memory, tokens = encode(source), [start]
    while len(tokens) <= limit:
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == stop:
            break
        tokens.append(token)
    encode(source)
    return tokens[1:]
