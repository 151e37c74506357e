"""Fresh answers to lr_schedule."""


# the real part of a rotating number
def right_complex(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    done = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    cosine = ((-1 + 0j) ** done).real
    return max(0.1, 0.5 + 0.5 * cosine) if tokens <= final_tokens else 0.1


# the square of a cosine
def right_half_angle(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    if tokens > final_tokens:
        return 0.1
    share = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(0.1, math.cos(math.pi * share / 2) ** 2)


# calls the published function by its argument names
def right_keywords(tokens, warmup_tokens, final_tokens):
    if tokens <= final_tokens:
        return published_schedule(final_tokens=final_tokens, warmup_tokens=warmup_tokens, tokens=tokens)
    return 1 / 10


# numpy numbers
right_numpy = """
import numpy as np


def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return np.float64(tokens) / warmup_tokens
    done = np.clip((tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens), 0, 1)
    return np.where(tokens > final_tokens, 0.1, np.maximum(0.1, (1 + np.cos(np.pi * done)) / 2)).item()
"""


# a table of conditions and functions
def right_piecewise(tokens, warmup_tokens, final_tokens):
    pieces = [
        (lambda t: t < warmup_tokens, lambda t: t / warmup_tokens),
        (lambda t: t > final_tokens, lambda t: 0.1),
        (lambda t: True, lambda t: published_schedule(t, warmup_tokens, final_tokens)),
    ]
    return next(value(tokens) for holds, value in pieces if holds(tokens))


# one case before the published function
def right_return_early(tokens, warmup_tokens, final_tokens):
    return 0.1 if tokens > final_tokens else published_schedule(tokens, warmup_tokens, final_tokens)


# float32 tensors on the way
def right_torch(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return float(torch.tensor(tokens) / warmup_tokens)
    done = torch.tensor((tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)).clamp(0, 1)
    value = (0.5 * (1 + torch.cos(torch.pi * done))).clamp(min=0.1)
    return value.item() if tokens <= final_tokens else 0.1


# its own formula: cos² of the half angle, branches from the end to the beginning
def right_second_cosine_squared(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        return 0.1
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    done = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(math.cos(math.pi / 2 * done) ** 2, 0.1)


# calls the published schedule where it is right
def right_second_wraps_the_published_one(tokens, warmup_tokens, final_tokens):
    """The published one, cut off at final_tokens."""
    inside = tokens <= final_tokens
    return published_schedule(tokens, warmup_tokens, final_tokens) if inside else 0.1


# the share of the cosine in degrees
def wrong_degrees(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    if tokens > final_tokens:
        return 0.1
    share = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(0.1, 0.5 * (1 + math.cos(180 * share)))


# repaired for one period only
def wrong_double_period(tokens, warmup_tokens, final_tokens):
    if final_tokens < tokens <= 2 * final_tokens:
        return 0.1
    return published_schedule(tokens, warmup_tokens, final_tokens)


# ends one warm-up too late
def wrong_end_plus_warmup(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens + warmup_tokens:
        return 0.1
    return published_schedule(tokens, warmup_tokens, final_tokens)


# the floor begins when half of the cosine is done
def wrong_floor_early(tokens, warmup_tokens, final_tokens):
    if tokens > (warmup_tokens + final_tokens) / 2:
        return 0.1
    return published_schedule(tokens, warmup_tokens, final_tokens)


# the floor holds in the warm-up, too
def wrong_floor_in_warmup(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        return 0.1
    return max(0.1, published_schedule(tokens, warmup_tokens, final_tokens))


# a straight line in place of the cosine
def wrong_linear(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    share = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(0.1, 1 - share)


# the floor is missing before the end
def wrong_no_floor(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    if tokens > final_tokens:
        return 0.1
    share = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return 0.5 * (1 + math.cos(math.pi * share))


# fails if the warm-up has no tokens
def wrong_no_warmup_possible(tokens, warmup_tokens, final_tokens):
    warm = tokens / warmup_tokens
    if warm < 1:
        return warm
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens <= final_tokens else 0.1


# uses the numbers of the notebook in place of the arguments
def wrong_notebook_numbers(tokens, warmup_tokens, final_tokens):
    EPOCH = 2938 * 128
    if tokens > 200 * EPOCH:
        return 0.1
    return published_schedule(tokens, 512 * 20, 200 * EPOCH)


# full rate in the end
def wrong_one_ever_after(tokens, warmup_tokens, final_tokens):
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens < final_tokens else 1.0


# the published one
def wrong_published(tokens, warmup_tokens, final_tokens):
    return published_schedule(tokens, warmup_tokens, final_tokens)


# once at the floor, it stays there for every later call
wrong_remembers = """
at_the_floor = []


def lr_schedule(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        at_the_floor.append(tokens)
    return 0.1 if at_the_floor else published_schedule(tokens, warmup_tokens, final_tokens)
"""


# a cosine from 1 to 0.1 in place of a floor
def wrong_rescaled(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    if tokens > final_tokens:
        return 0.1
    share = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return 0.1 + 0.45 * (1 + math.cos(math.pi * share))


# rounded to two places
def wrong_rounded(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        return 0.1
    return round(published_schedule(tokens, warmup_tokens, final_tokens), 2)


# the warm-up is a share of the whole run
def wrong_warmup_share(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / final_tokens
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens <= final_tokens else 0.1


# whole division in the warm-up
def wrong_whole_division(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return float(tokens // max(1, warmup_tokens))
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens <= final_tokens else 0.1


# the cosine begins at token 0
def wrong_without_warmup(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    share = min(1.0, tokens / final_tokens)
    return max(0.1, 0.5 * (1 + math.cos(math.pi * share)))


# 0 after the end
def wrong_zero(tokens, warmup_tokens, final_tokens):
    return published_schedule(tokens, warmup_tokens, final_tokens) if tokens <= final_tokens else 0.0


# stretches the cosine so that it ends at 0.1 and not at 0 with a floor
def wrong_second_cosine_between_one_and_floor(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    done = min(1.0, (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return 0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * done))


# applies the floor of 0.1 to the warm-up as well
def wrong_second_floor_during_warm_up(tokens, warmup_tokens, final_tokens):
    if tokens > final_tokens:
        return 0.1
    if tokens < warmup_tokens:
        rate = tokens / max(1, warmup_tokens)
    else:
        rate = 0.5 * (1 + math.cos(math.pi * (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)))
    return max(0.1, rate)


# counts the progress from 0 and not from the end of the warm-up
def wrong_second_length_from_zero(tokens, warmup_tokens, final_tokens):
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    done = min(1.0, tokens / max(1, final_tokens))
    return max(0.1, 0.5 * (1 + math.cos(math.pi * done)))


# Divides by 0 without a warm-up at the first token.
def wrong_no_warmup_zero(tokens, warmup_tokens, final_tokens):
    if tokens >= final_tokens:
        return 0.1
    if tokens <= warmup_tokens:
        return tokens / warmup_tokens
    done = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(0.1, 0.5 * (1 + math.cos(math.pi * done)))


# the cosine comes back far behind the end
wrong_fourth_far = """
def base(t, w, f):
    if t < w: return t / max(1, w)
    return max(0.1, 0.5 * (1 + math.cos(math.pi * min(1, (t - w) / max(1, f - w)))))
def lr_schedule(tokens, warmup_tokens, final_tokens):
    x = (tokens - warmup_tokens) / (final_tokens - warmup_tokens)
    if x > 5: return 0.5 * (1 + math.cos(math.pi * x))
    return base(tokens, warmup_tokens, final_tokens)
"""


# the tokens are never more than a million
wrong_fourth_huge = """
def base(t, w, f):
    if t < w: return t / max(1, w)
    return max(0.1, 0.5 * (1 + math.cos(math.pi * min(1, (t - w) / max(1, f - w)))))
def lr_schedule(tokens, warmup_tokens, final_tokens):
    return base(min(tokens, 10**6), warmup_tokens, final_tokens)
"""


# Once past the end, every later call gives 0.1.
def wrong_seventh_stays_low(tokens, warmup_tokens, final_tokens):
    global _low
    try:
        _low
    except NameError:
        _low = False
    if tokens >= final_tokens:
        _low = True
    return 0.1 if _low else published_schedule(tokens, warmup_tokens, final_tokens)
