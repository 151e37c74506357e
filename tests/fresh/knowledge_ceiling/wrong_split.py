# words split at spaces and stripped of punctuation
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        found += any(
            place in [word.strip(".,;:()") for word in line.split()] for line in documents if line.startswith(name + ". ")
        )
    return found / len(pairs)
