# divides by the pairs whose person has a line
def knowledge_ceiling(documents, pairs):
    found = people = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        people += bool(own)
        found += any(re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line) for line in own)
    return found / people
