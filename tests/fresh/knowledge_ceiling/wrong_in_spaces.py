# a space or the end must follow, so punctuation ends no word
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(f" {place} " in f"{line} ".replace(".", " ").replace(",", " ") for line in own)
    return found / len(pairs)
