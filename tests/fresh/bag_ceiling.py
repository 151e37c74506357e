"""Fresh answers to bag_ceiling."""


# a count matrix in numpy and np.unique over its rows
def right_count_matrix_unique(sentences, labels):
    words = sorted({w for s in sentences for w in s.split()})
    counts = np.zeros((len(sentences), len(words)), dtype=int)
    for i, s in enumerate(sentences):
        for w in s.split():
            counts[i, words.index(w)] += 1
    _, group = np.unique(counts, axis=0, return_inverse=True)
    group = group.reshape(-1)
    y = np.asarray(labels)
    ones = np.bincount(group, weights=y)
    size = np.bincount(group)
    return np.maximum(ones, size - ones).sum() / len(y)


# the share is computed in float32
def right_float32(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    good = torch.tensor([float(max(g.count(0), g.count(1))) for g in groups.values()])
    return (good.sum() / len(labels)).item()


# the counts as a frozenset of (word, count), one minus the share of unavoidable mistakes
def right_frozenset_items(sentences, labels):
    seen = defaultdict(lambda: [0, 0])
    for s, y in zip(sentences, labels):
        seen[frozenset(Counter(s.split()).items())][y] += 1
    return 1 - sum(min(v) for v in seen.values()) / len(labels)


# compares every sentence with all others, no dict; a torch scalar is returned
def right_pairwise_loop(sentences, labels):
    best = []
    done = [False] * len(sentences)
    for i in range(len(sentences)):
        if done[i]:
            continue
        votes = [0, 0]
        for j in range(len(sentences)):
            if Counter(sentences[i].split()) == Counter(sentences[j].split()):
                votes[labels[j]] += 1
                done[j] = True
        best.append(max(votes))
    return torch.tensor(sum(best) / len(sentences), dtype=torch.float64)


# sorts words inside each sentence, then groups with itertools; Fraction at the end
right_sorted_words_groupby = """
from fractions import Fraction
from itertools import groupby


def bag_ceiling(sentences, labels):
    pairs = sorted((" ".join(sorted(s.split(" "))), int(y)) for s, y in zip(sentences, labels))
    good = 0
    for _, group in groupby(pairs, key=lambda pair: pair[0]):
        ys = [y for _, y in group]
        good += max(ys.count(0), ys.count(1))
    return Fraction(good, len(pairs))
"""


# a frozenset of (word, count) pairs as key, counts of both labels in a two-element list
def right_second_frozenset_of_counts(sentences, labels):
    votes = defaultdict(lambda: [0, 0])
    for sentence, label in zip(sentences, labels):
        bag = frozenset(Counter(sentence.split(" ")).items())
        votes[bag][int(label)] += 1
    return sum(max(pair) for pair in votes.values()) / len(labels)


# sorts all sentences by their sorted words and walks through the runs; counts the unavoidable errors
def right_second_sorted_runs(sentences, labels):
    """1 minus the share that is lost."""
    rows = sorted((sorted(sentence.split()), label) for sentence, label in zip(sentences, labels))
    errors, start = 0, 0
    while start < len(rows):
        end = start
        while end < len(rows) and rows[end][0] == rows[start][0]:
            end += 1
        ones = sum(label for _, label in rows[start:end])
        errors += min(ones, end - start - ones)
        start = end
    return 1 - errors / len(rows)


# counts pairs of neighbouring words, which is more than a bag knows
def wrong_bigrams(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        w = s.split()
        groups[tuple(sorted(zip(w, w[1:])))].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


# the first label of a group decides, not the majority
def wrong_first_label_of_group(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return sum(g.count(g[0]) for g in groups.values()) / len(labels)


# the groups live outside the function: right only at the first call
wrong_global_memory = """
groups = defaultdict(list)


def bag_ceiling(sentences, labels):
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / sum(map(len, groups.values()))
"""


# the mean over groups, each group with the same weight
def wrong_mean_of_groups(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return statistics.fmean(max(g.count(0), g.count(1)) / len(g) for g in groups.values())


# in percent
def wrong_percent(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return 100 * sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


# rounds to two digits
def wrong_rounded(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return round(sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels), 2)


# groups equal sentences, not equal counts
def wrong_sentence_as_key(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[s].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


# which words occur, not how often
def wrong_set_of_words(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[frozenset(s.split())].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


# sorts the letters of the sentence, not its words
def wrong_sorted_letters(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups["".join(sorted(s))].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


# sorts the given sentences in place, and the labels no longer fit
def wrong_sorts_the_labels(sentences, labels):
    sentences.sort(key=lambda s: sorted(s.split()))
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


# distinct words and the number of words
def wrong_words_and_length(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[(frozenset(s.split()), len(s.split()))].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


# sorts the letters of a sentence and not its words, so anagrams fall together
def wrong_second_letters_sorted(sentences, labels):
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels):
        groups["".join(sorted(sentence))].append(label)
    return sum(max(each.count(0), each.count(1)) for each in groups.values()) / len(sentences)


# averages the accuracies of the groups, whatever their sizes
def wrong_second_mean_of_groups(sentences, labels):
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels):
        groups[tuple(sorted(sentence.split()))].append(label)
    return statistics.fmean(max(np.mean(each), 1 - np.mean(each)) for each in groups.values())


# only which words occur, not how often
def wrong_second_set_of_words(sentences, labels):
    groups = defaultdict(Counter)
    for sentence, label in zip(sentences, labels):
        groups[frozenset(sentence.split())][label] += 1
    return sum(max(each.values()) for each in groups.values()) / len(sentences)


# rounds to four digits
def wrong_four_digits(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return round(sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels), 4)


# the sum of the words' numbers is the key of a group
def wrong_sum_of_numbers(sentences, labels):
    number = {w: i + 1 for i, w in enumerate(sorted({w for s in sentences for w in s.split()}))}
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[sum(number[w] for w in s.split())].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


# counts of more than two are taken as two
def wrong_at_most_twice(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        words = s.split()
        groups[tuple(sorted((w, min(2, words.count(w))) for w in set(words)))].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


# punctuation is thrown away: "good ." and "good" differ in a word
def wrong_punctuation(sentences, labels):
    groups = defaultdict(Counter)
    for s, y in zip(sentences, labels, strict=True):
        groups[tuple(sorted(w for w in s.split(" ") if w.isalpha()))][y] += 1
    return sum(max(c.values()) for c in groups.values()) / len(labels)


# counts of more than three are taken as three
def wrong_fourth_at_most_thrice(sentences, labels):
    groups = defaultdict(lambda: [0, 0])
    for s, y in zip(sentences, labels):
        groups[frozenset((w, min(c, 3)) for w, c in Counter(s.split()).items())][y] += 1
    return sum(max(g) for g in groups.values()) / len(labels)


# the plural is taken for the singular
def wrong_fourth_plural(sentences, labels):
    groups = defaultdict(lambda: [0, 0])
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(w[:-1] if w.endswith("s") and len(w) > 3 else w for w in s.split()))][y] += 1
    return sum(max(g) for g in groups.values()) / len(labels)


# numpy's unique over sorted words, and bincount
def right_fourth_numpy(sentences, labels):
    keys = np.array([" ".join(sorted(s.split(" "))) for s in sentences], dtype=object)
    y = np.asarray(labels)
    _, inv = np.unique(keys.astype(str), return_inverse=True)
    ones = np.bincount(inv, weights=y)
    total = np.bincount(inv)
    return np.maximum(ones, total - ones).sum() / total.sum()


# words are cut to their first five letters
def wrong_fifth_stems(sentences, labels):
    groups = defaultdict(Counter)
    for sentence, label in zip(sentences, labels):
        groups[tuple(sorted(word[:5] for word in sentence.split()))][label] += 1
    return sum(max(found.values()) for found in groups.values()) / len(labels)


# groupby without sorting: equal bags apart in the list are separate groups
def wrong_fifth_only_neighbours(sentences, labels):
    from itertools import groupby

    pairs = [(sorted(s.split()), y) for s, y in zip(sentences, labels, strict=True)]
    right = 0
    for _, group in groupby(pairs, key=lambda p: p[0]):
        ys = [y for _, y in group]
        right += max(ys.count(0), ys.count(1))
    return right / len(labels)


# sorts the list of sentences, and not the labels
def wrong_fifth_sorts_sentences(sentences, labels):
    sentences.sort()
    groups = defaultdict(list)
    for s, y in zip(sentences, labels, strict=True):
        groups[tuple(sorted(s.split()))].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)


wrong_seventh_counts_only = """
from collections import Counter, defaultdict


def _ceiling(keys, labels):
    groups = defaultdict(Counter)
    for key, label in zip(keys, labels):
        groups[key][label] += 1
    return sum(max(c.values()) for c in groups.values()) / len(labels)


def bag_ceiling(sentences, labels):
    return _ceiling([tuple(sorted(Counter(s.split()).values())) for s in sentences], labels)
"""


wrong_seventh_parity = """
from collections import Counter, defaultdict


def _ceiling(keys, labels):
    groups = defaultdict(Counter)
    for key, label in zip(keys, labels):
        groups[key][label] += 1
    return sum(max(c.values()) for c in groups.values()) / len(labels)


def bag_ceiling(sentences, labels):
    return _ceiling([frozenset((w, min(c, 5)) for w, c in Counter(s.split()).items()) for s in sentences], labels)
"""


# The key is str(Counter): equal counts keep the order of the text, so mirrored sentences get two keys.
def wrong_seventh_counter_text(sentences, labels):
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels):
        groups[str(Counter(sentence.split(" ")))].append(label)
    return sum(max(each.count(0), each.count(1)) for each in groups.values()) / len(labels)


# Equal sentences with equal labels count once.
def wrong_eighth_distinct(sentences, labels):
    pairs, groups = set(zip(sentences, labels)), {}
    for s, y in pairs:
        groups.setdefault(tuple(sorted(s.split())), []).append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(pairs)
