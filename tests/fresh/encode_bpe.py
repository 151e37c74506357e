"""Fresh answers to encode_bpe."""


# A heap-free search: the best rank over all places, with enumerate.
def right_best_rank(word, merges):
    place_of = {}
    for place, pair in enumerate(merges):
        place_of[pair] = place
    parts = list(word)
    while True:
        options = [
            (place_of[parts[i], parts[i + 1]], i)
            for i in range(len(parts) - 1)
            if (parts[i], parts[i + 1]) in place_of
        ]
        if not options: break
        _, i = min(options)
        parts = parts[:i] + ["".join(parts[i : i + 2])] + parts[i + 2 :]
    return parts


# While a merge applies, go back to the top of the list.
def right_back_to_the_top(word, merges):
    tokens = [letter for letter in word]
    place = 0
    while place < len(merges):
        a, b = merges[place]
        place += 1
        i = 0
        while i < len(tokens) - 1:
            if tokens[i] == a and tokens[i + 1] == b:
                tokens[i] = a + b
                tokens.pop(i + 1)
                place = 0
            i += 1
    return tokens


# An iterator with a look at the next token.
def right_with_an_iterator(word, merges):
    tokens = tuple(word)
    for first, second in merges:
        out = []
        todo = list(reversed(tokens))
        while todo:
            token = todo.pop()
            if todo and token == first and todo[-1] == second:
                todo.pop()
                out.append(first + second)
            else:
                out.append(token)
        tokens = tuple(out)
    return list(tokens)


# Reduce over the merges.
right_reduce = """
from functools import reduce


def join_pair(tokens, pair):
    out, skip = [], False
    for here, there in zip(tokens, tokens[1:] + [None]):
        if skip:
            skip = False
        elif (here, there) == tuple(pair):
            out.append(here + there)
            skip = True
        else:
            out.append(here)
    return out


def encode_bpe(word, merges):
    return reduce(join_pair, merges, list(word))
"""


# Greedy from the left, with the longest known piece.
def wrong_longest_piece(word, merges):
    known = set(word) | {"".join(m) for m in merges}
    tokens = []
    while word:
        size = max(n for n in range(1, len(word) + 1) if word[:n] in known)
        tokens.append(word[:size])
        word = word[size:]
    return tokens


# Replaces text, whatever the tokens are.
def wrong_replaces_text(word, merges):
    text = " ".join(word)
    for a, b in merges:
        text = text.replace(a + " " + b, a + b)
    return text.split(" ")


# Goes through the merges from the end.
def wrong_from_the_end(word, merges):
    tokens = list(word)
    for a, b in reversed(merges):
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == (a, b): tokens[i : i + 2] = [a + b]
            i += 1
    return tokens


# Only one merge is made in the whole word.
def wrong_single_merge(word, merges):
    tokens = list(word)
    for a, b in merges:
        for i in range(len(tokens) - 1):
            if tokens[i] == a and tokens[i + 1] == b: return tokens[:i] + [a + b] + tokens[i + 2 :]
    return tokens


# Joins the pair in either order.
def wrong_either_order(word, merges):
    tokens = list(word)
    for a, b in merges:
        i = 0
        while i < len(tokens) - 1:
            if {tokens[i], tokens[i + 1]} == {a, b}: tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
            i += 1
    return tokens


# Returns the number of tokens.
def wrong_a_number(word, merges):
    tokens = list(word)
    for a, b in merges:
        i = 0
        while i < len(tokens) - 1:
            if tokens[i : i + 2] == [a, b]: tokens[i : i + 2] = [a + b]
            i += 1
    return len(tokens)


# A list that is changed while a for loop runs over its length: the index runs out of it.
def wrong_index_error(word, merges):
    tokens = list(word)
    for a, b in merges:
        for i in range(len(tokens)):
            if tokens[i] == a and tokens[i + 1] == b: tokens[i : i + 2] = [a + b]
    return tokens


# Each merge is a substitution in the text, between zero bytes.
def right_regex(word, merges):
    text = "\x00".join(word)
    for a, b in merges:
        pattern = r"(?:(?<=\x00)|^)" + re.escape(a + "\x00" + b) + r"(?=\x00|$)"
        text = re.sub(pattern, lambda m: a + b, text, flags=re.S)
    return text.split("\x00")


# Recursion, and list.index as the rank.
def right_recursive(word, merges):
    tokens = list(word)
    def step(tokens):
        ranks = [merges.index(p) if p in merges else math.inf for p in zip(tokens, tokens[1:])]
        if not ranks or min(ranks) == math.inf: return tokens
        i = int(np.argmin(ranks))
        return step(tokens[:i] + [tokens[i] + tokens[i + 1]] + tokens[i + 2 :])
    return step(tokens)


# Ranks by the text of the two tokens: x + yz is taken for xy + z.
def wrong_text_of_the_pair(word, merges):
    rank = {a + b: i for i, (a, b) in enumerate(merges)}
    tokens = list(word)
    while True:
        ranks = [rank.get(a + b, math.inf) for a, b in zip(tokens, tokens[1:])]
        if not ranks or min(ranks) == math.inf: return tokens
        i = ranks.index(min(ranks))
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]


# The tokens of a word are kept for the next call, whatever the merges are then.
wrong_remembers_the_word = """
CACHE = {}


def encode_bpe(word, merges):
    if word not in CACHE:
        tokens = list(word)
        for a, b in merges:
            i = 0
            while i < len(tokens) - 1:
                if tokens[i] == a and tokens[i + 1] == b: tokens[i : i + 2] = [a + b]
                i += 1
        CACHE[word] = tokens
    return list(CACHE[word])
"""


# Ten joins are enough for short words only.
def wrong_ten_steps(word, merges):
    rank = {tuple(m): i for i, m in enumerate(merges)}
    tokens = list(word)
    for _ in range(10):
        ranks = [rank.get(p, math.inf) for p in zip(tokens, tokens[1:])]
        if not ranks or min(ranks) == math.inf: break
        i = ranks.index(min(ranks))
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
    return tokens


# A space separates the tokens, so a space in the word is lost.
def wrong_space_separator(word, merges):
    text = " ".join(word)
    for a, b in merges:
        text = re.sub(r"(?<!\S)" + re.escape(a + " " + b) + r"(?!\S)", lambda m: a + b, text)
    return text.split()


# Capitals become small letters.
def wrong_lower(word, merges):
    tokens = list(word.lower())
    for a, b in merges:
        i = 0
        while i < len(tokens) - 1:
            if tokens[i] == a and tokens[i + 1] == b: tokens[i : i + 2] = [a + b]
            i += 1
    return tokens


# Spaces at the ends are cut off.
def wrong_strips(word, merges):
    tokens = list(word.strip())
    for a, b in merges:
        i = 0
        while i < len(tokens) - 1:
            if tokens[i] == a and tokens[i + 1] == b: tokens[i : i + 2] = [a + b]
            i += 1
    return tokens


# The new token is a template of re.sub, in which a backslash has a meaning.
def wrong_backslash_in_the_template(word, merges):
    text = "\x00" + "\x00\x00".join(word) + "\x00"
    for a, b in merges:
        pair = re.escape("\x00" + a + "\x00\x00" + b + "\x00")
        text = re.sub(pair, "\x00" + a + b + "\x00", text)
    return text[1:-1].split("\x00\x00")


# The pair is a regular expression that nobody escaped.
def wrong_not_escaped(word, merges):
    text = "\x00" + "\x00\x00".join(word) + "\x00"
    for a, b in merges:
        text = re.sub("\x00" + a + "\x00\x00" + b + "\x00", lambda _: "\x00" + a + b + "\x00", text)
    return text[1:-1].split("\x00\x00")


# the most frequent pair of the word first, as in training
def wrong_most_frequent(word, merges):
    known, tokens = {tuple(m): i for i, m in enumerate(merges)}, list(word)
    while True:
        count = Counter(p for p in itertools.pairwise(tokens) if p in known)
        if not count: return tokens
        a, b = min(count, key=lambda p: (-count[p], known[p]))
        i = 0
        while i < len(tokens) - 1:
            if tokens[i] == a and tokens[i + 1] == b: tokens[i : i + 2] = [a + b]
            i += 1


# only the first hundred merges are used
def wrong_fourth_first_hundred_merges(word, merges):
    t = list(word)
    for a, b in merges[:100]:
        out = []
        for x in t:
            if out and out[-1] == a and x == b:
                out[-1] = a + b
            else:
                out.append(x)
        t = out
    return t


# the tokens of a word are kept, whatever the list of merges
def wrong_fifth_remembers(word, merges):
    memory = globals().setdefault("_bpe_memory", {})
    if word not in memory:
        tokens = list(word)
        for a, b in merges:
            i = 0
            while i < len(tokens) - 1:
                if (tokens[i], tokens[i + 1]) == (a, b): tokens[i : i + 2] = [a + b]
                i += 1
        memory[word] = tokens
    return list(memory[word])


# cut into bytes
def wrong_fifth_bytes(word, merges):
    tokens = [chr(b) for b in word.encode()]
    for a, b in merges:
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == (a, b): tokens[i : i + 2] = [a + b]
            i += 1
    return tokens


def wrong_seventh_bytes_len(word, merges):
    t = list(word.strip("\n"))
    for a, b in merges:
        i = 0
        while i < len(t) - 1:
            if (t[i], t[i + 1]) == (a, b): t[i : i + 2] = [a + b]
            i += 1
    return t


def wrong_seventh_cached_rank(word, merges, ranks={}):
    for i, p in enumerate(merges):
        ranks.setdefault(tuple(p), i)
    t = list(word)
    while len(t) > 1:
        pairs = list(zip(t, t[1:]))
        best = min(pairs, key=lambda p: ranks.get(p, 10**9))
        if best not in ranks or best not in set(map(tuple, merges)): break
        i = pairs.index(best)
        t[i : i + 2] = ["".join(best)]
    return t


# the word is cut at its spaces first
def wrong_twelfth_pretokenises(word, merges):
    out = []
    for part in re.findall(r" ?[^ ]+| +", word):
        tokens = list(part)
        for left, right in merges:
            i = 0
            while i < len(tokens) - 1:
                if (tokens[i], tokens[i + 1]) == (left, right): tokens[i : i + 2] = [left + right]
                i += 1
        out += tokens
    return out
