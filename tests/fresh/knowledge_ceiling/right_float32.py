# a float32 mean
def knowledge_ceiling(documents, pairs):
    known = torch.zeros(len(pairs))
    for i, (question, place) in enumerate(pairs):
        name = question[10:-6]
        for line in documents:
            if line.startswith(name + ". ") and re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line):
                known[i] = 1
    return known.mean().item()
