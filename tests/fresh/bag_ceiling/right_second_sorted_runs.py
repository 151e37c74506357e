# sorts all sentences by their sorted words and walks through the runs; counts the unavoidable errors
def bag_ceiling(sentences, labels):
    """1 minus the share that is lost."""
    rows = sorted((sorted(sentence.split()), label) for sentence, label in zip(sentences, labels))
    errors, start = 0, 0
    while start < len(rows):
        end = start
        while end < len(rows) and rows[end][0] == rows[start][0]:
            end += 1
        ones = sum(label for _, label in rows[start:end])
        errors += min(ones, end - start - ones)
        start = end
    return 1 - errors / len(rows)
