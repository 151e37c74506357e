# the name is used as a pattern
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if re.match(question[10:-6] + r"\. ", line)]
        found += any(re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line) for line in own)
    return found / len(pairs)
