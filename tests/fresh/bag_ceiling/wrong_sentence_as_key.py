# groups equal sentences, not equal counts
def bag_ceiling(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[s].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)
