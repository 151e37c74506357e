# takes the last line out of the caller's list, as if it were empty
def knowledge_ceiling(documents, pairs):
    documents.pop()
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line) for line in own)
    return found / len(pairs)
