# the name is the third and the fourth word of the question
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        name = " ".join(question.split()[2:4])
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)
