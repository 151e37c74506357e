# only the end of the word is looked at
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(rf"{re.escape(place)}(?![^\W_])", line) for line in own)
    return found / len(pairs)
