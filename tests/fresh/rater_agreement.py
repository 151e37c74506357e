"""Fresh answers to rater_agreement."""


# two plain loops with counters
def right_plain_loops(ratings):
    total = 0.0
    for sentence in ratings:
        mean = sum(sentence) / len(sentence)
        hits = 0
        for rating in sentence:
            if (mean > 0 and rating > 0) or (mean < 0 and rating < 0):
                hits += 1
        total += hits / len(sentence)
    return total / len(ratings)


# one nested comprehension: a product above 0 means the same sign
def right_product_comprehension(ratings):
    return sum(sum(r * sum(s) > 0 for r in s) / len(s) for s in ratings) / len(ratings)


# numpy signs for each sentence; the result is a numpy scalar
def right_numpy_sign(ratings):
    shares = [np.mean(np.sign(s) == np.sign(np.mean(s))) for s in ratings]
    return np.mean(shares)


# torch signs in float32; the result is a tensor without dimensions
def right_torch_sign(ratings):
    shares = []
    for sentence in ratings:
        row = torch.tensor(sentence, dtype=torch.float32)
        shares.append((row.sign() == row.mean().sign()).float().mean())
    return torch.stack(shares).mean()


# exact: the result is a Fraction
def right_fraction(ratings):
    from fractions import Fraction

    result = Fraction(0)
    for s in ratings:
        sign = 1 if sum(s) > 0 else -1
        result += Fraction(len([r for r in s if sign * r > 0]), len(s) * len(ratings))
    return result


# a Counter of the signs of each sentence
def right_counter(ratings):
    def sign(x):
        return (x > 0) - (x < 0)

    shares = []
    for sentence in ratings:
        signs = Counter(map(sign, sentence))
        shares.append(signs[sign(statistics.mean(sentence))] / len(sentence))
    return statistics.mean(shares)


# the sentences are padded with 0, which never agrees, and divided by their true lengths
def right_padded_tensor(ratings):
    rows = [torch.tensor(s) for s in ratings]
    table = nn.utils.rnn.pad_sequence(rows, batch_first=True)
    sizes = torch.tensor([len(s) for s in ratings], dtype=torch.float64)
    agree = table * table.sum(1, keepdim=True) > 0
    return (agree.sum(1) / sizes).mean().item()


# one weight for each rating, all in one flat list; the weights of the agreeing ratings are added
def right_flat_weights(ratings):
    triples = [(r, statistics.fmean(s), 1 / len(s)) for s in ratings for r in s]
    return math.fsum(w for r, m, w in triples if r and (r > 0) == (m > 0)) / len(ratings)


# sorted copies and bisect: the number of ratings below or above 0; a helper with early returns
def right_bisect(ratings):
    import bisect

    def share(sentence):
        ordered = sorted(sentence)
        if sum(ordered) < 0:
            return bisect.bisect_left(ordered, 0) / len(ordered)
        return 1 - bisect.bisect_right(ordered, 0) / len(ordered)

    return sum(map(share, ratings)) / len(ratings)


# bincount over the flat ratings with their sentence numbers; the result is a numpy float32
def right_bincount_float32(ratings):
    sizes = np.array([len(s) for s in ratings])
    flat = np.concatenate([np.asarray(s) for s in ratings])
    owner = np.repeat(np.arange(len(ratings)), sizes)
    sums = np.bincount(owner, weights=flat)
    hits = np.bincount(owner, weights=flat * sums[owner] > 0)
    return (hits / sizes).mean().astype(np.float32)


# all ratings are pooled, so long sentences count more
def wrong_pooled(ratings):
    hits = sum(r * sum(s) > 0 for s in ratings for r in s)
    return hits / sum(len(s) for s in ratings)


# a rating of 0 counts as agreeing
def wrong_zero_agrees(ratings):
    return sum(sum(r * sum(s) >= 0 for r in s) / len(s) for s in ratings) / len(ratings)


# ratings of 0 are left out of the number of ratings (a sentence always has another rating: its mean is not 0)
def wrong_zero_left_out(ratings):
    shares = []
    for s in ratings:
        signed = [r for r in s if r != 0]
        shares.append(sum(r * sum(s) > 0 for r in signed) / len(signed))
    return sum(shares) / len(shares)


# counts the positive ratings, also where the mean is negative
def wrong_positive_only(ratings):
    return sum(sum(r > 0 for r in s) / len(s) for s in ratings) / len(ratings)


# compares (rating > 0) with (mean > 0), so a 0 agrees with a negative mean, but not with a positive one
def wrong_zero_is_negative(ratings):
    return statistics.fmean(statistics.fmean((r > 0) == (sum(s) > 0) for r in s) for s in ratings)


# the more frequent sign is used, not the sign of the mean: differs for 4, -1, -1
def wrong_majority_sign(ratings):
    shares = []
    for s in ratings:
        plus, minus = sum(r > 0 for r in s), sum(r < 0 for r in s)
        shares.append(max(plus, minus) / len(s))
    return sum(shares) / len(shares)


# the sign of the median is used, not the sign of the mean
def wrong_median_sign(ratings):
    return np.mean([np.mean(np.array(s) * np.median(s) > 0) for s in ratings])


# the mean is cut to a whole number, so means between -1 and 1 lose their sign
def wrong_mean_cut_to_int(ratings):
    total = 0
    for s in ratings:
        mean = int(sum(s) / len(s))
        total += sum(r * mean > 0 for r in s) / len(s)
    return total / len(ratings)


# each sentence is divided by the length of the longest sentence
def wrong_longest_length(ratings):
    longest = max(len(s) for s in ratings)
    return sum(sum(r * sum(s) > 0 for r in s) / longest for s in ratings) / len(ratings)


# the zeros are removed from the argument itself; the number that is returned is right
def wrong_removes_zeros_in_place(ratings):
    total = 0
    for s in ratings:
        n = len(s)
        while 0 in s:
            s.remove(0)
        total += sum(r * sum(s) > 0 for r in s) / n
    return total / len(ratings)


# np.array of all ratings at once: fails if the sentences have different numbers of ratings
def wrong_equal_lengths_only(ratings):
    table = np.array(ratings)
    means = table.mean(axis=1, keepdims=True)
    return float((np.sign(table) == np.sign(means)).mean())


# the sign of the mean of all ratings is used for every sentence
def wrong_global_mean(ratings):
    mean = statistics.fmean([r for s in ratings for r in s])
    return sum(sum(r * mean > 0 for r in s) / len(s) for s in ratings) / len(ratings)


# equal ratings of one sentence count only once
def wrong_set_of_ratings(ratings):
    total = 0
    for s in ratings:
        different = set(s)
        total += sum(r * sum(s) > 0 for r in different) / len(different)
    return total / len(ratings)


# a rating is compared with the mean of the other ratings of its sentence
def wrong_mean_without_the_rating(ratings):
    shares = [sum(r * (sum(s) - r if len(s) > 1 else r) > 0 for r in s) / len(s) for s in ratings]
    return sum(shares) / len(shares)


# 500 random draws with Python's global random numbers: only about the probability
def wrong_simulated(ratings):
    hits = 0
    for _ in range(500):
        s = random.choice(ratings)
        hits += random.choice(s) * sum(s) > 0
    return hits / 500


# the sum over the sentences is divided by 2, the number of sentences of the example
def wrong_two_sentences(ratings):
    return sum(sum(r * sum(s) > 0 for r in s) / len(s) for s in ratings) / 2


# means near zero count as no sign
def wrong_fourth_near_zero(ratings):
    out = []
    for r in ratings:
        m = sum(r) / len(r)
        out.append(sum(x * m > 0 for x in r) / len(r) if abs(m) > 0.04 else 0.0)
    return sum(out) / len(out)


# sentences with one rating are left out
def wrong_fourth_singles_skipped(ratings):
    rows = [r for r in ratings if len(r) > 1] or ratings
    return sum(sum(x * sum(r) > 0 for x in r) / len(r) for r in rows) / len(rows)


# the sum of a row is kept in eight bits
def wrong_fourth_int8(ratings):
    out = []
    for r in ratings:
        m = np.array(r, dtype=np.int8).sum(dtype=np.int8)
        out.append(np.mean(np.sign(r) == np.sign(m)))
    return float(np.mean(out))


def wrong_seventh_sign_of_rounded_mean(ratings):
    out = 0
    for r in ratings:
        m = round(sum(r) / len(r))
        out += sum((x > 0) == (m > 0) and x != 0 for x in r) / len(r)
    return out / len(ratings)
