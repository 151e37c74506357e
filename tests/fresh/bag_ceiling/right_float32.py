# the share is computed in float32
def bag_ceiling(sentences, labels):
    groups = defaultdict(list)
    for s, y in zip(sentences, labels):
        groups[tuple(sorted(s.split()))].append(y)
    good = torch.tensor([float(max(g.count(0), g.count(1))) for g in groups.values()])
    return (good.sum() / len(labels)).item()
