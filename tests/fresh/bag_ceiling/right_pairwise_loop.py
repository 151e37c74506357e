# compares every sentence with all others, no dict; a torch scalar is returned
def bag_ceiling(sentences, labels):
    best = []
    done = [False] * len(sentences)
    for i in range(len(sentences)):
        if done[i]:
            continue
        votes = [0, 0]
        for j in range(len(sentences)):
            if Counter(sentences[i].split()) == Counter(sentences[j].split()):
                votes[labels[j]] += 1
                done[j] = True
        best.append(max(votes))
    return torch.tensor(sum(best) / len(sentences), dtype=torch.float64)
