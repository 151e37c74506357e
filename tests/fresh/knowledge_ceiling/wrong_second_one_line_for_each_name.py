# a dict from name to line keeps only the last line of a person
def knowledge_ceiling(documents, pairs):
    line_of = {line.split(". ")[0]: line for line in documents if ". " in line}
    hits = 0
    for question, place in pairs:
        name = question[10:-6]
        hits += re.search(rf"\b{re.escape(place)}\b", line_of.get(name, "")) is not None
    return hits / len(pairs)
