"""Fresh answers to real_share."""


# plain loops with two counters
def right_plain_loops(lengths, batches):
    real = 0
    places = 0
    for batch in batches:
        longest = 0
        for number in batch:
            real += lengths[number]
            if lengths[number] > longest:
                longest = lengths[number]
        places += longest * len(batch)
    return real / places


# two comprehensions
def right_comprehensions(lengths, batches):
    real = sum(lengths[i] for batch in batches for i in batch)
    return real / sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)


# numpy with index arrays; the result is a numpy scalar
def right_numpy(lengths, batches):
    array = np.asarray(lengths)
    parts = [array[np.asarray(batch)] for batch in batches]
    return np.sum([p.sum() for p in parts]) / np.sum([p.max() * p.size for p in parts])


# true masks of each padded batch, joined; the result is a float32 tensor without dimensions
def right_masks(lengths, batches):
    masks = []
    for batch in batches:
        sizes = torch.tensor([lengths[i] for i in batch])
        masks.append((torch.arange(int(sizes.max())) < sizes[:, None]).flatten())
    return torch.cat(masks).float().mean()


# one minus the share of the padding
def right_one_minus_padding(lengths, batches):
    padding, places = 0, 0
    for batch in batches:
        width = max(lengths[i] for i in batch)
        padding += sum(width - lengths[i] for i in batch)
        places += width * len(batch)
    return 1 - padding / places


# an exact Fraction
def right_fraction(lengths, batches):
    from fractions import Fraction

    groups = [list(map(lengths.__getitem__, batch)) for batch in batches]
    return Fraction(sum(map(sum, groups)), sum(max(g) * len(g) for g in groups))


# the mean of the batches' shares, weighted with their numbers of places
def right_weighted_mean(lengths, batches):
    shares, weights = [], []
    for batch in batches:
        sizes = [lengths[i] for i in batch]
        weights.append(max(sizes) * len(sizes))
        shares.append(statistics.fmean(sizes) / max(sizes))
    return float(np.average(shares, weights=weights))


# pad_sequence with ones for real tokens and zeros for padding
def right_pad_sequence(lengths, batches):
    ones, places = 0.0, 0
    for batch in batches:
        padded = nn.utils.rnn.pad_sequence([torch.ones(lengths[i]) for i in batch], batch_first=True)
        ones += padded.sum().item()
        places += padded.numel()
    return ones / places


# reduce over pairs (real, places), with a nested helper
def right_reduce(lengths, batches):
    from functools import reduce

    def add(pair, batch):
        sizes = sorted(lengths[i] for i in batch)
        return pair[0] + sum(sizes), pair[1] + sizes[-1] * len(sizes)

    real, places = reduce(add, batches, (0, 0))
    return real / places


# a width for each sentence by its place in a flat list, divided in float32
def right_flat_float32(lengths, batches):
    from itertools import chain

    flat = [lengths[i] for i in chain.from_iterable(batches)]
    widths = [max(lengths[j] for j in batch) for batch in batches for _ in batch]
    return np.float32(sum(flat)) / np.float32(sum(widths))


# the mean of the batches' shares, without weights
def wrong_mean_of_shares(lengths, batches):
    shares = [sum(lengths[i] for i in b) / (len(b) * max(lengths[i] for i in b)) for b in batches]
    return sum(shares) / len(shares)


# the batches' shares are weighted with the numbers of sentences, not of places
def wrong_weighted_by_sentences(lengths, batches):
    total = sum(sum(lengths[i] for i in b) / max(lengths[i] for i in b) for b in batches)
    return total / sum(len(b) for b in batches)


# every batch is padded to the longest of all sentences
def wrong_global_longest(lengths, batches):
    longest = max(lengths)
    return sum(lengths[i] for b in batches for i in b) / (longest * sum(len(b) for b in batches))


# the share of the padding
def wrong_padding_share(lengths, batches):
    places = sum(len(b) * max(lengths[i] for i in b) for b in batches)
    return (places - sum(lengths[i] for b in batches for i in b)) / places


# places for each real token: the inverse, at least 1
def wrong_inverse(lengths, batches):
    places = sum(len(b) * max(lengths[i] for i in b) for b in batches)
    return places / sum(lengths[i] for b in batches for i in b)


# the last sentence of a batch is taken for its longest
def wrong_width_of_last_sentence(lengths, batches):
    places = sum(len(b) * lengths[b[-1]] for b in batches)
    return sum(lengths[i] for b in batches for i in b) / places


# the sentence with the highest number in a batch is taken for its longest: max(batch), not the longest length
def wrong_width_of_highest_number(lengths, batches):
    places = sum(len(b) * lengths[max(b)] for b in batches)
    return sum(lengths[i] for b in batches for i in b) / places


# all batches get the size of the first one, also a smaller last batch
def wrong_size_of_first_batch(lengths, batches):
    size = len(batches[0])
    places = size * sum(max(lengths[i] for i in b) for b in batches)
    return sum(lengths[i] for b in batches for i in b) / places


# the longest length is not set back between the batches, so later batches can be too wide
def wrong_width_not_reset(lengths, batches):
    longest, real, places = 0, 0, 0
    for batch in batches:
        for i in batch:
            longest = max(longest, lengths[i])
            real += lengths[i]
        places += longest * len(batch)
    return real / places


# the sentence numbers are counted from 1, so each number gives the length of the sentence before it
def wrong_numbers_from_one(lengths, batches):
    groups = [[lengths[i - 1] for i in b] for b in batches]
    return sum(map(sum, groups)) / sum(max(g) * len(g) for g in groups)


# only the sizes of the batches are used: the sentences are taken in the order of the list
def wrong_ignores_numbers(lengths, batches):
    start, real, places = 0, 0, 0
    for batch in batches:
        part = lengths[start : start + len(batch)]
        start += len(batch)
        real += sum(part)
        places += max(part) * len(part)
    return real / places


# each batch is sorted by length in place; the number that is returned is right
def wrong_sorts_batches_in_place(lengths, batches):
    real, places = 0, 0
    for batch in batches:
        batch.sort(key=lambda i: lengths[i])
        real += sum(lengths[i] for i in batch)
        places += len(batch) * lengths[batch[-1]]
    return real / places


# the batches are popped from the argument, which is empty afterwards; the number is right
def wrong_pops_batches(lengths, batches):
    real, places = 0, 0
    while batches:
        sizes = [lengths[i] for i in batches.pop()]
        real += sum(sizes)
        places += max(sizes) * len(sizes)
    return real / places


# batches of one sentence are skipped, because they have no padding
def wrong_skips_single_sentences(lengths, batches):
    groups = [[lengths[i] for i in b] for b in batches if len(b) > 1]
    if not groups:
        return 1.0
    return sum(map(sum, groups)) / sum(max(g) * len(g) for g in groups)


# the share is rounded to two digits after the point, as in the example
def wrong_rounded(lengths, batches):
    places = sum(len(b) * max(lengths[i] for i in b) for b in batches)
    return round(sum(lengths[i] for b in batches for i in b) / places, 2)


# takes exactly two batches, as in the example: fails for any other number
def wrong_two_batches_only(lengths, batches):
    first, second = batches
    a, b = [lengths[i] for i in first], [lengths[i] for i in second]
    return (sum(a) + sum(b)) / (max(a) * len(a) + max(b) * len(b))


# lengths are limited to 512
def wrong_fourth_at_most_512(lengths, batches):
    n = [min(x, 512) for x in lengths]
    return sum(n[i] for b in batches for i in b) / sum(len(b) * max(n[i] for i in b) for b in batches)


# sentences of one token are left out
def wrong_fourth_ones_skipped(lengths, batches):
    return sum(lengths[i] for b in batches for i in b if lengths[i] > 1) / sum(len(b) * max(lengths[i] for i in b) for b in batches)


def wrong_seventh_previous(lengths, batches):
    real = places = 0
    longest = 0
    for b in batches:
        longest = max(longest, max(lengths[i] for i in b))
        real += sum(lengths[i] for i in b)
        places += len(b) * longest
    return real / places


def wrong_seventh_rect(lengths, batches):
    size = max(len(b) for b in batches)
    real = sum(lengths[i] for b in batches for i in b)
    return real / sum(size * max(lengths[i] for i in b) for b in batches)
