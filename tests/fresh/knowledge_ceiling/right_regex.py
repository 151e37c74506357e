# a regular expression with borders of its own
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[len("Where was "):-len(" born?")]
        pattern = re.compile(r"(?<![^\W_])" + re.escape(place) + r"(?![^\W_])")
        found += any(pattern.search(line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)
