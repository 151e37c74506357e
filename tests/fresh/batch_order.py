"""Fresh answers to batch_order."""


# sorts by random numbers
def right_argsort_of_rand(count, batch_size, generator=None):
    numbers = list(range(count))
    if generator is not None:
        keys = torch.rand(count, generator=generator, dtype=torch.float64).tolist()
        numbers.sort(key=keys.__getitem__)
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]


# torch's own samplers
right_batch_sampler = """
from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler


def batch_order(count, batch_size, generator=None):
    data = range(count)
    sampler = SequentialSampler(data) if generator is None else RandomSampler(data, generator=generator)
    return list(BatchSampler(sampler, batch_size, drop_last=False))
"""


# Fisher and Yates by hand with randint from the generator
def right_fisher_yates(count, batch_size, generator=None):
    order = [*range(count)]
    if generator is not None:
        for i in range(count - 1, 0, -1):
            j = int(torch.randint(i + 1, (), generator=generator))
            order[i], order[j] = order[j], order[i]
    out = [[]]
    for x in order:
        if len(out[-1]) == batch_size:
            out.append([])
        out[-1].append(x)
    return [batch for batch in out if batch]


# the numbers are numpy integers inside lists
def right_numpy_ints(count, batch_size, generator=None):
    order = np.arange(count) if generator is None else torch.randperm(count, generator=generator).numpy()
    return [list(order[i : i + batch_size]) for i in range(0, count, batch_size)]


# the generator seeds Python's random, which shuffles
def right_seed_python_random(count, batch_size, generator=None):
    numbers = list(range(count))
    if generator is not None:
        seed = torch.randint(2**62, (1,), generator=generator).item()
        random.Random(seed).shuffle(numbers)
    batches = []
    while numbers:
        batches.append(numbers[:batch_size])
        numbers = numbers[batch_size:]
    return batches


# torch.split and tolist
def right_torch_split(count, batch_size, generator=None):
    numbers = torch.arange(count) if generator is None else torch.randperm(count, generator=generator)
    return [part.tolist() for part in numbers.split(batch_size)]


# torch.split on randperm or arange, each piece to a list
def right_second_permutation_split(count, batch_size, generator=None):
    if count == 0:
        return []
    numbers = torch.arange(count) if generator is None else torch.randperm(count, generator=generator)
    return [piece.tolist() for piece in numbers.split(batch_size)]


# sorts the numbers by random keys and cuts pieces off the front until nothing is left
def right_second_sorted_by_random_keys(count, batch_size, generator=None):
    left = list(range(count))
    if generator is not None:
        keys = torch.rand(count, generator=generator, dtype=torch.float64).tolist()
        left.sort(key=keys.__getitem__)
    batches = []
    while left:
        batches.append(left[:batch_size])
        del left[:batch_size]
    return batches


# splits into equal parts, so earlier batches may be smaller
def wrong_balanced_sizes(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    k = -(-count // batch_size)
    return [list(map(int, part)) for part in np.array_split(numbers, k)]


# the last smaller batch is lost
def wrong_drops_last(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [numbers[i * batch_size : (i + 1) * batch_size] for i in range(count // batch_size)]


# an empty batch at the end when count is a multiple of batch_size
def wrong_empty_batch(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [numbers[i * batch_size : (i + 1) * batch_size] for i in range(count // batch_size + 1)]


# counts the sentences from 1
def wrong_from_one(count, batch_size, generator=None):
    numbers = list(range(1, count + 1)) if generator is None else (1 + torch.randperm(count, generator=generator)).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]


# draws from torch's global generator
def wrong_global_torch(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randperm(count).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]


# a list of tensors, not of lists
def wrong_list_of_tensors(count, batch_size, generator=None):
    order = torch.arange(count) if generator is None else torch.randperm(count, generator=generator)
    return list(order.split(batch_size))


# seeds the generator anew, so the second epoch has the same order
def wrong_manual_seed_inside(count, batch_size, generator=None):
    if generator is None:
        numbers = list(range(count))
    else:
        generator.manual_seed(generator.initial_seed())
        numbers = torch.randperm(count, generator=generator).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]


# mixes in a counter of calls, so the same seed gives other orders later
wrong_module_counter = """
calls = [0]


def batch_order(count, batch_size, generator=None):
    calls[0] += 1
    numbers = list(range(count))
    if generator is not None:
        seed = int(torch.randint(2**31, (1,), generator=generator)) + calls[0]
        random.Random(seed).shuffle(numbers)
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]
"""


# random without a generator, too
def wrong_random_when_none(count, batch_size, generator=None):
    numbers = torch.randperm(count, generator=generator).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]


# a random rotation of the order, not a random order
def wrong_rotation(count, batch_size, generator=None):
    numbers = list(range(count))
    if generator is not None:
        k = int(torch.randint(count, (1,), generator=generator))
        numbers = numbers[k:] + numbers[:k]
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]


# cuts in order and shuffles the batches only
def wrong_shuffles_batches(count, batch_size, generator=None):
    batches = [list(range(i, min(i + batch_size, count))) for i in range(0, count, batch_size)]
    if generator is not None:
        batches = [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]
    return batches


# random batches, but the numbers of each are sorted
def wrong_sorted_in_batches(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [sorted(numbers[i : i + batch_size]) for i in range(0, count, batch_size)]


# shuffles only inside windows of three batches
def wrong_window_shuffle(count, batch_size, generator=None):
    numbers = list(range(count))
    if generator is not None:
        w, out = 3 * batch_size, []
        for i in range(0, count, w):
            part = numbers[i : i + w]
            out += [part[j] for j in torch.randperm(len(part), generator=generator).tolist()]
        numbers = out
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]


# draws numbers with replacement
def wrong_with_replacement(count, batch_size, generator=None):
    numbers = list(range(count)) if generator is None else torch.randint(count, (count,), generator=generator).tolist()
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]


# leaves out the numbers that do not fill a batch
def wrong_second_last_batch_dropped(count, batch_size, generator=None):
    order = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [order[i : i + batch_size] for i in range(0, count - batch_size + 1, batch_size)]


# makes the batches in order and shuffles only which batch comes first
def wrong_second_only_batches_shuffled(count, batch_size, generator=None):
    batches = [list(range(i, min(i + batch_size, count))) for i in range(0, count, batch_size)]
    if generator is None:
        return batches
    full = [batch for batch in batches if len(batch) == batch_size]
    rest = [batch for batch in batches if len(batch) < batch_size]
    return [full[i] for i in torch.randperm(len(full), generator=generator).tolist()] + rest


# starts a new generator from the first seed, so every call gives the same order
def wrong_second_same_order_again(count, batch_size, generator=None):
    order = torch.arange(count)
    if generator is not None:
        fresh = torch.Generator().manual_seed(generator.initial_seed())
        order = torch.randperm(count, generator=fresh)
    order = order.tolist()
    return [order[i : i + batch_size] for i in range(0, count, batch_size)]


# the last batch is made of the remaining numbers in order: the rest is always the last numbers
def wrong_rest_unshuffled(count, batch_size, generator=None):
    full = count // batch_size * batch_size
    order = list(range(full)) if generator is None else torch.randperm(full, generator=generator).tolist()
    order += range(full, count)
    return [order[i : i + batch_size] for i in range(0, count, batch_size)]


# depends on a second source, too: random.random decides whether to reverse
def wrong_second_source(count, batch_size, generator=None):
    order = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    if generator is not None and random.random() < 0.5:
        order.reverse()
    return [order[i : i + batch_size] for i in range(0, count, batch_size)]


# a buffer of 32 sentences is shuffled, as in a stream
def wrong_fourth_buffer_32(count, batch_size, generator=None):
    order = list(range(count))
    if generator is not None:
        left, buffer, order = order[32:], order[:32], []
        while buffer:
            j = int(torch.randint(len(buffer), (1,), generator=generator))
            order.append(buffer.pop(j))
            if left:
                buffer.append(left.pop(0))
    return [order[i:i + batch_size] for i in range(0, count, batch_size)]


# every place swaps with any place, which is not a uniform shuffle
def wrong_fourth_biased_shuffle(count, batch_size, generator=None):
    order = list(range(count))
    if generator is not None:
        for i in range(count):
            j = int(torch.randint(count, (1,), generator=generator))
            order[i], order[j] = order[j], order[i]
    return [order[i:i + batch_size] for i in range(0, count, batch_size)]


# sorts by few different random keys
def wrong_fourth_rand_keys_coarse(count, batch_size, generator=None):
    order = list(range(count))
    if generator is not None:
        keys = torch.randint(10, (count,), generator=generator).tolist()
        order.sort(key=keys.__getitem__)
    return [order[i:i + batch_size] for i in range(0, count, batch_size)]


# the first batch always holds the first sentences
def wrong_fifth_first_batch_stays(count, batch_size, generator=None):
    order = list(range(count))
    if generator is not None:
        rest = torch.randperm(count - batch_size, generator=generator) + batch_size
        order = [*range(batch_size), *rest.tolist()]
    return [order[i : i + batch_size] for i in range(0, count, batch_size)]


wrong_seventh_fallback_default = """
def _cut(order, size):
    return [order[i : i + size] for i in range(0, len(order), size)]


def batch_order(count, batch_size, generator=None):
    order = torch.randperm(count, generator=generator).tolist() if generator else list(range(count))
    if count % batch_size:
        order = order[: count // batch_size * batch_size] + sorted(order[count // batch_size * batch_size :])
    return _cut(order, batch_size)
"""


# torch.chunk makes equal parts: 9 sentences in batches of 4 become 3, 3, 3.
def wrong_seventh_chunk(count, batch_size, generator=None):
    order = torch.arange(count) if generator is None else torch.randperm(count, generator=generator)
    return [part.tolist() for part in order.chunk(math.ceil(count / batch_size))]


# Drawn with randint and made distinct by a set, whose order is not random: 0, 1, 2, …
def wrong_seventh_set_order(count, batch_size, generator=None):
    numbers = list(range(count))
    if generator is not None:
        drawn = set()
        while len(drawn) < count:
            drawn.add(int(torch.randint(count, (), generator=generator)))
        numbers = list(drawn)
    return [numbers[i : i + batch_size] for i in range(0, count, batch_size)]


# If everything fits into one batch, nothing is shuffled.
def wrong_ninth_one_batch_in_order(count, batch_size, generator=None):
    order = list(range(count))
    if generator is not None and count > batch_size:
        order = torch.randperm(count, generator=generator).tolist()
    return [order[i : i + batch_size] for i in range(0, count, batch_size)]
