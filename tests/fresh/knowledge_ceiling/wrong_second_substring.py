# the place may be a part of a longer word
def knowledge_ceiling(documents, pairs):
    hits = 0
    for question, place in pairs:
        name = question.removeprefix("Where was ").removesuffix(" born?")
        hits += any(place in line for line in documents if line.startswith(name + ". "))
    return hits / len(pairs)
