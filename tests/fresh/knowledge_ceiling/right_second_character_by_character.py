# looks for the place with find and checks the neighbours with isalnum
def knowledge_ceiling(documents, pairs):
    def has_word(line, word):
        at = line.find(word)
        while at >= 0:
            before, after = line[at - 1 : at] if at else "", line[at + len(word) : at + len(word) + 1]
            if not before.isalnum() and not after.isalnum():
                return True
            at = line.find(word, at + 1)
        return False

    known = 0
    for question, place in pairs:
        name = question[len("Where was ") : -len(" born?")]
        known += any(has_word(line, place) for line in documents if line.startswith(f"{name}. "))
    return known / len(pairs)
