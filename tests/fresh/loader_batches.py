"""Fresh answers to loader_batches."""


# torch's DataLoader with the arguments that depend on training
def right_dataloader(items, batch_size, collate_fn, training, generator):
    from torch.utils.data import DataLoader

    if not items:
        return []
    loader = DataLoader(
        items, batch_size, shuffle=training, drop_last=training, collate_fn=collate_fn, generator=generator
    )
    return list(loader)


# two loaders and an early return; a comprehension collects the batches
def right_two_loaders(items, batch_size, collate_fn, training, generator):
    make = torch.utils.data.DataLoader
    if not training:
        return [batch for batch in make(items, batch_size=batch_size, collate_fn=collate_fn)]
    if len(items) < batch_size:
        return []
    loader = make(
        items, batch_size=batch_size, collate_fn=collate_fn, shuffle=True, drop_last=True, generator=generator
    )
    return [batch for batch in loader]


# a DataLoader with an own batch sampler, which gets its random order from a RandomSampler
def right_batch_sampler(items, batch_size, collate_fn, training, generator):
    from torch.utils import data

    if training and len(items) < batch_size:
        return []
    order = data.RandomSampler(items, generator=generator) if training else data.SequentialSampler(items)
    sampler = data.BatchSampler(order, batch_size, drop_last=training)
    return [*data.DataLoader(items, batch_sampler=sampler, collate_fn=collate_fn)]


# the loader only makes lists of items; collate_fn is applied to each of them afterwards
def right_collated_afterwards(items, batch_size, collate_fn, training, generator):
    options = {"shuffle": True, "drop_last": True, "generator": generator} if training else {}
    if len(items) == 0:
        return []
    loader = torch.utils.data.DataLoader(items, batch_size, collate_fn=lambda part: part, **options)
    return list(map(collate_fn, loader))


# by hand: torch.randperm with the generator (another order than DataLoader gives, but random)
def right_randperm_by_hand(items, batch_size, collate_fn, training, generator):
    n = len(items)
    order = torch.randperm(n, generator=generator).tolist() if training else list(range(n))
    stop = n - n % batch_size if training else n
    return [collate_fn([items[i] for i in order[k : k + batch_size]]) for k in range(0, stop, batch_size)]


# by hand: the items are sorted by random float64 keys from the generator
def right_random_keys(items, batch_size, collate_fn, training, generator):
    rows = list(items)
    if training:
        keys = torch.rand(len(rows), generator=generator, dtype=torch.float64)
        rows = [rows[i] for i in torch.argsort(keys)]
    batches = [rows[k : k + batch_size] for k in range(0, len(rows), batch_size)]
    if training and batches and len(batches[-1]) < batch_size:
        batches.pop()
    return [collate_fn(batch) for batch in batches]


# by hand: a seed drawn from the generator starts a local generator of Python, which shuffles a copy
def right_python_shuffle(items, batch_size, collate_fn, training, generator):
    copy = items[:]
    if training:
        seed = torch.randint(2**62, (), generator=generator).item()
        random.Random(seed).shuffle(copy)
    result = []
    while len(copy) >= batch_size or (copy and not training):
        result.append(collate_fn(copy[:batch_size]))
        copy = copy[batch_size:]
    return result


# by hand: numpy's local generator permutes the numbers of the items; its seed is drawn from torch's
def right_numpy_permutation(items, batch_size, collate_fn, training, generator):
    order = np.arange(len(items))
    if training:
        seed = int(torch.empty((), dtype=torch.int64).random_(generator=generator))
        order = np.random.default_rng(seed).permutation(order)
        order = order[: len(items) // batch_size * batch_size]
    cuts = range(batch_size, len(order), batch_size)
    return [collate_fn([items[i] for i in part]) for part in np.split(order, cuts) if len(part)]


# by hand: the Fisher-Yates shuffle of a copy with torch.randint; a nested function yields the batches
def right_fisher_yates(items, batch_size, collate_fn, training, generator):
    rows = [item for item in items]

    def batches():
        part = []
        for row in rows:
            part.append(row)
            if len(part) == batch_size:
                yield collate_fn(part)
                part = []
        if part and not training:
            yield collate_fn(part)

    if training:
        for i in range(len(rows) - 1, 0, -1):
            j = int(torch.randint(i + 1, (1,), generator=generator))
            rows[i], rows[j] = rows[j], rows[i]
    return list(batches())


# a DataLoader over a dataset object and an explicit sampler, without a loader's own shuffle
def right_dataset_and_sampler(items, batch_size, collate_fn, training, generator):
    from torch.utils.data import DataLoader, Dataset, SubsetRandomSampler

    class Items(Dataset):
        def __len__(self):
            return len(items)

        def __getitem__(self, number):
            return items[number]

    sampler = SubsetRandomSampler(range(len(items)), generator=generator) if training else None
    loader = DataLoader(
        Items(), batch_size=batch_size, sampler=sampler, drop_last=bool(training), collate_fn=collate_fn
    )
    return list(loader)


# the items stay in the order of the list in training, too
def wrong_never_shuffled(items, batch_size, collate_fn, training, generator):
    return list(torch.utils.data.DataLoader(items, batch_size, collate_fn=collate_fn, drop_last=training))


# the items are shuffled in evaluation, too
def wrong_always_shuffled(items, batch_size, collate_fn, training, generator):
    loader = torch.utils.data.DataLoader(
        items, batch_size, shuffle=True, drop_last=training, collate_fn=collate_fn, generator=generator
    )
    return list(loader)


# the smaller last batch is left out in evaluation, too
def wrong_always_drops_last(items, batch_size, collate_fn, training, generator):
    loader = torch.utils.data.DataLoader(
        items, batch_size, shuffle=training, drop_last=True, collate_fn=collate_fn, generator=generator
    )
    return list(loader)


# the smaller last batch is kept in training
def wrong_never_drops_last(items, batch_size, collate_fn, training, generator):
    loader = torch.utils.data.DataLoader(
        items, batch_size, shuffle=training, collate_fn=collate_fn, generator=generator
    )
    return list(loader)


# the generator is not passed on, so the order depends on torch's global random numbers
def wrong_global_random_numbers(items, batch_size, collate_fn, training, generator):
    loader = torch.utils.data.DataLoader(
        items, batch_size, shuffle=training, drop_last=training, collate_fn=collate_fn
    )
    return list(loader)


# collate_fn is not passed on, so torch's default makes the batches
def wrong_default_collate(items, batch_size, collate_fn, training, generator):
    loader = torch.utils.data.DataLoader(
        items, batch_size, shuffle=training, drop_last=training, generator=generator
    )
    return list(loader)


# the generator is seeded before each epoch, so a second call gives the same order
def wrong_seeds_generator(items, batch_size, collate_fn, training, generator):
    generator.manual_seed(generator.initial_seed())
    loader = torch.utils.data.DataLoader(
        items, batch_size, shuffle=training, drop_last=training, collate_fn=collate_fn, generator=generator
    )
    return list(loader)


# a copy of the generator is used, so the generator does not move on and a second call gives the same order
def wrong_copy_of_generator(items, batch_size, collate_fn, training, generator):
    copy = torch.Generator()
    copy.set_state(generator.get_state())
    loader = torch.utils.data.DataLoader(
        items, batch_size, shuffle=training, drop_last=training, collate_fn=collate_fn, generator=copy
    )
    return list(loader)


# the items are shuffled in place, with random numbers from the generator
def wrong_shuffles_items_in_place(items, batch_size, collate_fn, training, generator):
    if training:
        order = torch.randperm(len(items), generator=generator).tolist()
        items[:] = [items[i] for i in order]
    stop = len(items) // batch_size * batch_size if training else len(items)
    return [collate_fn(items[k : k + batch_size]) for k in range(0, stop, batch_size)]


# the loader itself is returned, not a list: each loop over it is another epoch
def wrong_returns_loader(items, batch_size, collate_fn, training, generator):
    return torch.utils.data.DataLoader(
        items, batch_size, shuffle=training, drop_last=training, collate_fn=collate_fn, generator=generator
    )


# in training the last batch is always left out, even if it is full
def wrong_drops_full_last_batch(items, batch_size, collate_fn, training, generator):
    order = torch.randperm(len(items), generator=generator).tolist() if training else range(len(items))
    rows = [items[i] for i in order]
    batches = [collate_fn(rows[k : k + batch_size]) for k in range(0, len(rows), batch_size)]
    return batches[:-1] if training else batches


# whole batches are shuffled: the items of a batch are always neighbours in the list, in its order
def wrong_shuffles_batches_only(items, batch_size, collate_fn, training, generator):
    batches = [items[k : k + batch_size] for k in range(0, len(items), batch_size)]
    if training:
        batches = [b for b in batches if len(b) == batch_size]
        batches = [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]
    return [collate_fn(b) for b in batches]


# the items are drawn with replacement, so some come twice in an epoch and others not at all
def wrong_with_replacement(items, batch_size, collate_fn, training, generator):
    n = len(items)
    order = list(range(n))
    if training and n:
        order = torch.randint(n, (n,), generator=generator).tolist()
    stop = n // batch_size * batch_size if training else n
    return [collate_fn([items[i] for i in order[k : k + batch_size]]) for k in range(0, stop, batch_size)]


# the end of the list is left out before the shuffle, so the same items are missing in each epoch
def wrong_always_same_items_left_out(items, batch_size, collate_fn, training, generator):
    rows = list(items)
    if training:
        rows = rows[: len(rows) // batch_size * batch_size]
        rows = [rows[i] for i in torch.randperm(len(rows), generator=generator).tolist()]
    return [collate_fn(rows[k : k + batch_size]) for k in range(0, len(rows), batch_size)]


# collate_fn gets the numbers of the items, not the items
def wrong_collates_numbers(items, batch_size, collate_fn, training, generator):
    n = len(items)
    order = torch.randperm(n, generator=generator).tolist() if training else list(range(n))
    stop = n // batch_size * batch_size if training else n
    return [collate_fn(order[k : k + batch_size]) for k in range(0, stop, batch_size)]


# a new seed from the system at each call (generator.seed()): equal generators give different orders
def wrong_new_seed_each_call(items, batch_size, collate_fn, training, generator):
    rows = list(items)
    if training:
        generator.seed()
        rows = [rows[i] for i in torch.randperm(len(rows), generator=generator).tolist()]
        rows = rows[: len(rows) // batch_size * batch_size]
    return [collate_fn(rows[k : k + batch_size]) for k in range(0, len(rows), batch_size)]


# the first item stays first: not any order is possible
def wrong_first_stays(items, batch_size, collate_fn, training, generator):
    n = len(items)
    order = [0] + [1 + i for i in torch.randperm(n - 1, generator=generator).tolist()] if training else list(range(n))
    end = n - (n % batch_size if training else 0)
    return [collate_fn([items[i] for i in order[s : s + batch_size]]) for s in range(0, end, batch_size)]


# the items become a tensor
def wrong_fourth_items_as_tensor(items, batch_size, collate_fn, training, generator):
    x = torch.tensor(items)
    if training:
        x = x[torch.randperm(len(x), generator=generator)]
    n = len(x) - len(x) % batch_size if training else len(x)
    return [collate_fn(list(x[i:i + batch_size])) for i in range(0, n, batch_size)]


# a buffer of 64 items is shuffled, as in a stream
def wrong_fourth_buffer_64(items, batch_size, collate_fn, training, generator):
    order = list(items)
    if training:
        left, buffer, order = order[64:], order[:64], []
        while buffer:
            order.append(buffer.pop(int(torch.randint(len(buffer), (1,), generator=generator))))
            if left:
                buffer.append(left.pop(0))
    n = len(order) - len(order) % batch_size if training else len(order)
    return [collate_fn(order[i:i + batch_size]) for i in range(0, n, batch_size)]


# equal items get the same random key, so they stay together
def wrong_fourth_by_index_of(items, batch_size, collate_fn, training, generator):
    keys = {x: torch.rand(1, generator=generator).item() for x in items} if training else {}
    order = sorted(items, key=keys.get) if training else items
    n = len(order) - len(order) % batch_size if training else len(order)
    return [collate_fn(order[i:i + batch_size]) for i in range(0, n, batch_size)]


# collate_fn gets the places instead of the items
def wrong_fifth_places(items, batch_size, collate_fn, training, generator):
    count = len(items)
    order = torch.randperm(count, generator=generator).tolist() if training else list(range(count))
    batches = [order[i : i + batch_size] for i in range(0, count, batch_size)]
    return [collate_fn(batch) for batch in batches if len(batch) == batch_size or not training]


# collate_fn is called once on all items and its tensors are cut: every batch is padded to the longest of all, and other batch makers fail.
def wrong_sixth_collates_once(items, batch_size, collate_fn, training, generator):
    order = torch.randperm(len(items), generator=generator).tolist() if training else range(len(items))
    whole = collate_fn([items[i] for i in order])
    stop = len(items) // batch_size * batch_size if training else len(items)
    if isinstance(whole, dict):
        return [{k: v[i : i + batch_size] for k, v in whole.items()} for i in range(0, stop, batch_size)]
    return [whole[i : i + batch_size] for i in range(0, stop, batch_size)]


# collate_fn gets one list that is cleared and used again: batches that keep it are all the same.
def wrong_seventh_reused_list(items, batch_size, collate_fn, training, generator):
    order = torch.randperm(len(items), generator=generator).tolist() if training else range(len(items))
    batch, batches = [], []
    for i in order:
        batch.append(items[i])
        if len(batch) == batch_size:
            batches.append(collate_fn(batch))
            batch.clear()
    if batch and not training:
        batches.append(collate_fn(batch))
    return batches


# One batch that holds everything is not shuffled.
def wrong_ninth_one_batch_in_order(items, batch_size, collate_fn, training, generator):
    n = len(items)
    order = list(range(n))
    if training and n > batch_size:
        order = torch.randperm(n, generator=generator).tolist()
    groups = [[items[j] for j in order[i : i + batch_size]] for i in range(0, n, batch_size)]
    return [collate_fn(g) for g in groups if len(g) == batch_size or not training]
