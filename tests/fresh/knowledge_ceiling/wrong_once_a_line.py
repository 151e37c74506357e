# counts a pair once for each line that states it
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        for line in documents:
            if line.startswith(question[10:-6] + ". ") and re.search(pattern, line):
                found += 1
    return found / len(pairs)
