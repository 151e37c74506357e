# stops at the person's first line
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        for line in documents:
            if line.startswith(question[10:-6] + ". "):
                found += bool(re.search(pattern, line))
                break
    return found / len(pairs)
