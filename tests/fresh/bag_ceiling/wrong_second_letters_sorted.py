# sorts the letters of a sentence and not its words, so anagrams fall together
def bag_ceiling(sentences, labels):
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels):
        groups["".join(sorted(sentence))].append(label)
    return sum(max(each.count(0), each.count(1)) for each in groups.values()) / len(sentences)
