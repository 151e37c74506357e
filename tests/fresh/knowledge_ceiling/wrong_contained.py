# a part of a word is enough
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        found += any(place in line for line in documents if line.startswith(name + ". "))
    return found / len(pairs)
