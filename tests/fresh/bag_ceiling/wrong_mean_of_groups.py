# the mean over groups, each group with the same weight
def bag_ceiling(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    return statistics.fmean(max(g.count(0), g.count(1)) / len(g) for g in groups.values())
