# the title does not count, so a place in the name is not seen
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line[len(name) + 2:]) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)
