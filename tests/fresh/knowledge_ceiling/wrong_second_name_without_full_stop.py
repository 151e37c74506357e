# every line that begins with the name counts, also that of a person with a longer name
def knowledge_ceiling(documents, pairs):
    hits = 0
    for question, place in pairs:
        name = question[len("Where was ") : -len(" born?")]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in documents if line.startswith(name))
    return hits / len(pairs)
