# rounded to two places
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line) for line in own)
    return round(found / len(pairs), 2)
