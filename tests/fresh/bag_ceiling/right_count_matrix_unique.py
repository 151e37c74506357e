# a count matrix in numpy and np.unique over its rows
def bag_ceiling(sentences, labels):
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
