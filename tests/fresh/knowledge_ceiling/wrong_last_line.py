# a dictionary by name keeps only the last line of each person
def knowledge_ceiling(documents, pairs):
    lines = {line.split(". ")[0]: line for line in documents}
    found = 0
    for question, place in pairs:
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += bool(re.search(pattern, lines.get(question[10:-6], "")))
    return found / len(pairs)
