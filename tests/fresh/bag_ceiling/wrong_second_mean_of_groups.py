# averages the accuracies of the groups, whatever their sizes
def bag_ceiling(sentences, labels):
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels):
        groups[tuple(sorted(sentence.split()))].append(label)
    return statistics.fmean(max(np.mean(each), 1 - np.mean(each)) for each in groups.values())
