# a frozenset of (word, count) pairs as key, counts of both labels in a two-element list
def bag_ceiling(sentences, labels):
    votes = defaultdict(lambda: [0, 0])
    for sentence, label in zip(sentences, labels):
        bag = frozenset(Counter(sentence.split(" ")).items())
        votes[bag][int(label)] += 1
    return sum(max(pair) for pair in votes.values()) / len(labels)
