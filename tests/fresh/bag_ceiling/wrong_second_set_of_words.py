# only which words occur, not how often
def bag_ceiling(sentences, labels):
    groups = defaultdict(Counter)
    for sentence, label in zip(sentences, labels):
        groups[frozenset(sentence.split())][label] += 1
    return sum(max(each.values()) for each in groups.values()) / len(sentences)
