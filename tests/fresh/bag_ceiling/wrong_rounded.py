# rounds to two digits
def bag_ceiling(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return round(sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels), 2)
