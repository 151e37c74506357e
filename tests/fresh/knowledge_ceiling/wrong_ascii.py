# borders of plain letters only
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"(?<![A-Za-z0-9]){re.escape(place)}(?![A-Za-z0-9])"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)
