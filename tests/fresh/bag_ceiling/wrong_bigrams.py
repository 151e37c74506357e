# counts pairs of neighbouring words, which is more than a bag knows
def bag_ceiling(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        w = s.split()
        groups[tuple(sorted(zip(w, w[1:])))].append(y)
    return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(labels)
