# upper and lower case do not count
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(pattern, line, re.IGNORECASE) for line in own)
    return found / len(pairs)
