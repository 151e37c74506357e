# any line that mentions the person
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line) for line in documents if name in line)
    return found / len(pairs)
