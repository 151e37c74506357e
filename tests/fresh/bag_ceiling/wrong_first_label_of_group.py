# the first label of a group decides, not the majority
def bag_ceiling(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return sum(g.count(g[0]) for g in groups.values()) / len(labels)
