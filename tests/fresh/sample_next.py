"""Fresh answers to sample_next."""


# bisect on a list of sums.
right_bisect = """
from bisect import bisect_right
from itertools import accumulate


def sample_next(logits, temperature, u):
    if temperature == 0:
        return logits.tolist().index(max(logits.tolist()))
    return bisect_right(list(accumulate((logits / temperature).softmax(0).tolist()))[:-1], u)
"""


# The number of sums that are at most u.
def right_count(logits, temperature, u):
    if temperature > 0:
        return min(int((torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1) <= u).sum()), len(logits) - 1)
    return logits.topk(1).indices.item()


# A running sum.
def right_loop(logits, temperature, u):
    if temperature == 0:
        return max(range(len(logits)), key=lambda i: float(logits[i]))
    total = 0.0
    for token, share in enumerate(torch.softmax(logits.double() / temperature, dim=0).tolist()):
        total += share
        if total > u:
            return token
    return len(logits) - 1


# numpy: a numpy integer.
def right_numpy(logits, temperature, u):
    import numpy as np

    z = logits.numpy()
    if temperature == 0:
        return np.argmax(z)
    p = np.exp((z - z.max()) / temperature)
    beyond = np.cumsum(p / p.sum()) > u
    beyond[-1] = True
    return np.argmax(beyond)


# searchsorted, on the right of equal sums.
def right_searchsorted(logits, temperature, u):
    if not temperature:
        return int(logits.argmax())
    sums = F.softmax(logits / temperature, dim=-1).cumsum(-1)
    return torch.searchsorted(sums, torch.tensor(u, dtype=sums.dtype), right=True).clamp(max=len(logits) - 1).item()


# u times the whole sum, instead of probabilities.
def right_unnormalised(logits, temperature, u):
    if temperature == 0:
        return int(torch.argmax(logits))
    e = torch.exp((logits - logits.max()) / temperature).cumsum(0)
    return int(torch.nonzero(e > u * e[-1])[0])


# the standard library: running sums as a list, and bisect_right
def right_second_bisect(logits, temperature, u):
    from bisect import bisect_right
    from itertools import accumulate

    if temperature == 0:
        return max(range(len(logits)), key=lambda i: float(logits[i]))
    sums = list(accumulate(torch.softmax(logits.double() / temperature, dim=0).tolist()))
    return min(bisect_right(sums, u), len(sums) - 1)


# a plain loop with early returns, exponentials from math
def right_second_loop_with_early_return(logits, temperature, u):
    numbers = logits.tolist()
    top = max(numbers)
    if not temperature:
        return numbers.index(top)
    exponentials = [math.exp((x - top) / temperature) for x in numbers]
    whole, running = math.fsum(exponentials), 0.0
    for token, e in enumerate(exponentials):
        running += e / whole
        if running > u:
            return token
    return len(numbers) - 1


# The first sum that is at least u.
def wrong_at_boundary(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    return int(torch.searchsorted(torch.softmax(logits / temperature, dim=-1).cumsum(-1), u))


# A small number is added to the temperature.
def wrong_epsilon(logits, temperature, u):
    sums = torch.softmax(logits / (temperature + 1e-2), dim=-1).cumsum(-1)
    return int((sums <= u).sum())


# The sum is started at the largest logit.
def wrong_first_of_largest(logits, temperature, u):
    if temperature == 0:
        return 0
    return int((torch.softmax(logits / temperature, dim=-1).cumsum(-1) <= u).sum())


# Temperatures below 0.1 are greedy.
def wrong_greedy_below_tenth(logits, temperature, u):
    if temperature < 0.1:
        return int(logits.argmax())
    return int((torch.softmax(logits / temperature, dim=-1).cumsum(-1) <= u).sum())


# The temperature is only compared with 0.
def wrong_ignored(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    return int((torch.softmax(logits, dim=-1).cumsum(-1) <= u).sum())


# The logits are divided in place.
def wrong_in_place(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    logits /= temperature
    return int((torch.softmax(logits, dim=-1).cumsum(-1) <= u).sum())


# torch draws; u is not used.
def wrong_multinomial(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    return int(torch.multinomial(torch.softmax(logits / temperature, dim=-1), 1))


# Logits times the temperature.
def wrong_multiplied(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    return int((torch.softmax(logits * temperature, dim=-1).cumsum(-1) <= u).sum())


# The token whose running sum is nearest to u.
def wrong_nearest(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    return int((torch.softmax(logits / temperature, dim=-1).cumsum(-1) - u).abs().argmin())


# Temperature 0 divides by 0.
def wrong_no_zero(logits, temperature, u):
    sums = torch.softmax(logits / temperature, dim=-1).cumsum(-1)
    return int((sums <= u).sum())


# The token before.
def wrong_one_before(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    return max(0, int((torch.softmax(logits / temperature, dim=-1).cumsum(-1) <= u).sum()) - 1)


# Probabilities are divided by the temperature.
def wrong_probabilities_divided(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    p = torch.softmax(logits, dim=-1) / temperature
    return int(((p / p.sum()).cumsum(-1) <= u).sum())


# Exponentials overflow for small temperatures.
def wrong_raw_exponentials(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    e = torch.exp(logits / temperature)
    return int(((e / e.sum()).cumsum(-1) <= u).sum())


# Probabilities are sorted first.
def wrong_sorted(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    p, order = torch.softmax(logits / temperature, dim=-1).sort(descending=True)
    return int(order[int((p.cumsum(-1) <= u).sum())])


# a number exactly on the boundary gets the token before it
def wrong_second_boundary_belongs_below(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1)
    return min(int((sums < u).sum()), len(logits) - 1)


# argmax of a row without any True is 0, so the last token is missed if the sums end below u
def wrong_second_first_token_as_fallback(logits, temperature, u):
    if temperature == 0:
        return int(torch.argmax(logits))
    sums = torch.cumsum(torch.softmax(logits / temperature, dim=-1), dim=-1)
    return int((sums > u).int().argmax())


# divides the probabilities by the temperature instead of the logits
def wrong_second_temperature_after_softmax(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    sums = (torch.softmax(logits, dim=-1) / temperature).cumsum(dim=-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


# Exponentials without subtracting the largest logit: nan for logits of 1000.
def wrong_overflow(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    w = torch.exp(logits / temperature)
    s = (w / w.sum()).cumsum(0)
    return min(int((s <= u).sum()), len(s) - 1)


# Greedy below 0.2 already.
def wrong_low_is_greedy(logits, temperature, u):
    if temperature < 0.2:
        return int(logits.argmax())
    total = 0.0
    for i, p in enumerate(torch.softmax(logits.double() / temperature, dim=-1).tolist()):
        total += p
        if total > u:
            return i
    return len(logits) - 1


# A small number is added to the temperature.
def wrong_fourth_temperature_plus(logits, temperature, u):
    sums = torch.softmax(logits / (temperature + 1e-6), -1).cumsum(-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


# The token is a float.
def wrong_fourth_float(logits, temperature, u):
    if temperature == 0:
        return float(logits.argmax())
    sums = torch.softmax(logits / temperature, -1).cumsum(-1)
    return float(min(int((sums <= u).sum()), len(logits) - 1))


# Temperatures above 10 count as 10.
def wrong_fourth_temperature_cut(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits / min(temperature, 10), -1).cumsum(-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


# returns a tensor with one axis, not a whole number, for temperature 0
def wrong_fifth_one_axis(logits, temperature, u):
    if temperature == 0:
        return logits.topk(1).indices
    ends = torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1)
    for token, end in enumerate(ends.tolist()):
        if end > u:
            return token
    return len(logits) - 1
