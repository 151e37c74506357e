# str.find from place to place
def knowledge_ceiling(documents, pairs):
    def states(line, place):
        at = line.find(place)
        while at >= 0:
            before = line[at - 1] if at > 0 else " "
            after = line[at + len(place)] if at + len(place) < len(line) else " "
            if not before.isalnum() and not after.isalnum():
                return True
            at = line.find(place, at + 1)
        return False

    hits = []
    for question, place in pairs:
        name = question.removeprefix("Where was ").removesuffix(" born?")
        own = [line for line in documents if line.startswith(f"{name}. ")]
        hits.append(any(states(line, place) for line in own))
    return sum(hits) / len(hits)
