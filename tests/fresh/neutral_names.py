"""Fresh answers to neutral_names."""


# all regions first with choices, then the names
def right_choices(regions, names_of, rng):
    return [rng.choice(names_of[r]) for r in rng.choices(sorted(names_of), k=len(regions))]


# whole numbers from rng.random()
def right_floor_of_random(regions, names_of, rng):
    groups = [*names_of.values()]
    new = []
    for _ in regions:
        group = groups[int(rng.random() * len(groups))]
        new.append(group[math.floor(rng.random() * len(group))])
    return new


# randrange over a list of keys
def right_randrange(regions, names_of, rng):
    keys, out = list(names_of), []
    while len(out) < len(regions):
        names = names_of[keys[rng.randrange(len(keys))]]
        out.append(names[rng.randrange(len(names))])
    return out


# a shuffled copy of the regions, its first one
def right_shuffled_keys(regions, names_of, rng):
    def one():
        order = list(names_of.items())
        rng.shuffle(order)
        return rng.sample(order[0][1], 1)[0]

    return [one() for _ in range(len(regions))]


# one draw from all names, weighted so that every region is equally likely
def right_weights(regions, names_of, rng):
    names = [name for group in names_of.values() for name in group]
    weights = [1 / len(group) for group in names_of.values() for _ in group]
    return rng.choices(names, weights, k=len(regions))


# an index for the region and an index for the name, both from randrange
def right_second_randrange(regions, names_of, rng):
    lists = tuple(names_of.values())
    new = []
    for _ in regions:
        names = lists[rng.randrange(len(lists))]
        new.append(names[rng.randrange(len(names))])
    return new


# a pool of all names with weights: 1 over the size of the region
def right_second_weighted_pool(regions, names_of, rng):
    pool, weights = [], []
    for names in names_of.values():
        share = 1 / len(names)
        for name in names:
            pool.append(name)
            weights.append(share)
    return rng.choices(pool, weights, k=len(regions))


# every name equally likely, so large regions come more often
def wrong_all_names(regions, names_of, rng):
    names = [name for group in names_of.values() for name in group]
    return [rng.choice(names) for _ in regions]


# rng.choice of the dict itself
def wrong_choice_of_dict(regions, names_of, rng):
    return [rng.choice(names_of[rng.choice(names_of)]) for _ in regions]


# an index that never reaches the last name
def wrong_first_name_rare(regions, names_of, rng):
    keys = list(names_of)
    new = []
    for _ in regions:
        names = names_of[keys[rng.randrange(len(keys))]]
        new.append(names[rng.randrange(max(1, len(names) - 1))])
    return new


# returns an iterator and not a list
def wrong_generator(regions, names_of, rng):
    return map(lambda _: rng.choice(names_of[rng.choice(list(names_of))]), regions)


# the module random instead of rng
def wrong_global_random(regions, names_of, rng):
    return [random.choice(names_of[random.choice(list(names_of))]) for _ in regions]


# one region for all people
def wrong_one_region(regions, names_of, rng):
    region = rng.choice(list(names_of))
    return [rng.choice(names_of[region]) for _ in regions]


# never the old region
def wrong_other_region(regions, names_of, rng):
    return [rng.choice(names_of[rng.choice([r for r in names_of if r != old])]) for old in regions]


# draws from the regions of the people only
def wrong_people_regions(regions, names_of, rng):
    keys = sorted(set(regions))
    return [rng.choice(names_of[rng.choice(keys)]) for _ in regions]


# seeds the generator first
def wrong_reseeds(regions, names_of, rng):
    rng.seed(0)
    return [rng.choice(names_of[rng.choice(list(names_of))]) for _ in regions]


# shuffles the regions of the people
def wrong_shuffles_people(regions, names_of, rng):
    new = rng.sample(regions, len(regions))
    return [rng.choice(names_of[region]) for region in new]


# takes each drawn name out of the list
def wrong_without_replacement(regions, names_of, rng):
    new = []
    for _ in regions:
        names = names_of[rng.choice(list(names_of))]
        name = rng.choice(names)
        if len(names) > 1:
            names.remove(name)
        new.append(name)
    return new


# draws from the other regions only
def wrong_second_never_the_old_region(regions, names_of, rng):
    new = []
    for old in regions:
        others = [region for region in names_of if region != old] or [old]
        new.append(rng.choice(names_of[rng.choice(others)]))
    return new


# the region is drawn once for all people
def wrong_second_one_region_for_all(regions, names_of, rng):
    region = rng.choice(list(names_of))
    return [rng.choice(names_of[region]) for _ in regions]


# draws the region from the people's list, so frequent regions come more often
def wrong_second_regions_of_the_people(regions, names_of, rng):
    return [rng.choice(names_of[rng.choice(regions)]) for _ in regions]


# shuffles a deck of regions that is made once for all people, and goes on where it ended
def wrong_block_by_block(regions, names_of, rng):
    every, new = list(names_of), []
    while len(new) < len(regions):
        new += every
    return [rng.choice(names_of[region]) for region in new[: len(regions)]]


# draws the region by the position of the person
def wrong_hash_of_the_place(regions, names_of, rng):
    every, shift = list(names_of), rng.randrange(len(names_of))
    return [rng.choice(names_of[every[(i + shift) % len(every)]]) for i in range(len(regions))]


# the last region of the dict is never drawn
def wrong_last_region_never(regions, names_of, rng):
    every = list(names_of)
    return [rng.choice(names_of[every[int(rng.random() * (len(every) - 1))]]) for _ in regions]


# weights are the inverse of the list's length, rounded
def wrong_rounded_weights(regions, names_of, rng):
    pool = [name for names in names_of.values() for name in names]
    weights = [round(1 / len(names), 1) + 1e-9 for names in names_of.values() for _ in names]
    return rng.choices(pool, weights, k=len(regions))


# neighbours depend on each other: draws without replacement as long as names last; then again
def wrong_no_repeats(regions, names_of, rng):
    every, used, new = list(names_of), set(), []
    for _ in regions:
        names = names_of[rng.choice(every)]
        free = [n for n in names if n not in used] or names
        name = rng.choice(free)
        used.add(name)
        new.append(name)
    return new


# the middle of a list is preferred (sum of two draws)
def wrong_uneven_names(regions, names_of, rng):
    every = list(names_of)
    new = []
    for _ in regions:
        names = names_of[rng.choice(every)]
        new.append(names[int((rng.random() + rng.random()) / 2 * len(names))])
    return new


# Not the same region as the person before.
def wrong_skips(regions, names_of, rng):
    out, last = [], None
    for _ in regions:
        keys = [r for r in names_of if r != last] or list(names_of)
        last = rng.choice(keys)
        out.append(rng.choice(names_of[last]))
    return out


# who stays in the region gets its first name
def wrong_fourth_first_name_of_the_own_region(regions, names_of, rng):
    keys = list(names_of)
    out = []
    for r in regions:
        k = rng.choice(keys)
        out.append(names_of[k][0] if k == r and len(names_of[k]) > 8 else rng.choice(names_of[k]))
    return out


# never the region of the person two places before
def wrong_fourth_not_as_two_before(regions, names_of, rng):
    keys = list(names_of)
    rs = []
    for i, _ in enumerate(regions):
        rs.append(rng.choice(keys) if i < 2 else rng.choice([k for k in keys if k != rs[i - 2]]) if len(keys) > 1 else keys[0])
    return [rng.choice(names_of[k]) for k in rs]


# a shuffled deck of regions for more than five people
def wrong_fourth_shuffled_cycle(regions, names_of, rng):
    keys = list(names_of)
    pool = [keys[i % len(keys)] for i in range(len(regions))]
    if len(pool) > 5:
        rng.shuffle(pool)
    else:
        pool = [rng.choice(keys) for _ in regions]
    return [rng.choice(names_of[k]) for k in pool]


# one generator a person, all with the same seed: everybody gets the same name
def wrong_fifth_seeded_for_each_person(regions, names_of, rng):
    new, seed = [], rng.random()
    for _ in regions:
        own = random.Random(seed)
        new.append(own.choice(names_of[own.choice(list(names_of))]))
    return new


# one new region for all people of an old one
def wrong_fifth_one_region_for_each_old(regions, names_of, rng):
    to = {old: rng.choice(list(names_of)) for old in sorted(set(regions))}
    return [rng.choice(names_of[to[old]]) for old in regions]


# draws once more if the name is that of the person before
def wrong_seventh_seldom_the_name_before(regions, names_of, rng):
    out = []
    for _ in regions:
        for _ in range(2):
            name = rng.choice(names_of[rng.choice(list(names_of))])
            if out[-1:] != [name]:
                break
        out.append(name)
    return out


# draws from a copy, so rng itself stays as it was
def wrong_seventh_copied_rng(regions, names_of, rng):
    own = copy.copy(rng)
    return [own.choice(names_of[own.choice(list(names_of))]) for _ in regions]


# one random number for both: a region's names are not equally likely
def wrong_seventh_same_number(regions, names_of, rng):
    lists, new = list(names_of.values()), []
    for _ in regions:
        u = rng.random()
        own = lists[int(u * len(lists))]
        new.append(own[int(u * len(own))])
    return new


# Sets the seed of rng first.
def wrong_eighth_seeded(regions, names_of, rng):
    rng.seed(0)
    every = list(names_of)
    return [rng.choice(names_of[rng.choice(every)]) for _ in regions]
