# sorts the given sentences in place, and the labels no longer fit
def bag_ceiling(sentences, labels):
    sentences.sort(key=lambda s: sorted(s.split()))
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)
