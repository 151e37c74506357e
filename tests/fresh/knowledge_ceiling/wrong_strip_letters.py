# strip() with letters eats the ends of the name
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question.strip("Where was").strip("born?").strip()
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)
