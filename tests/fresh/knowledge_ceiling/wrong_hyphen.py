# a hyphen counts as a part of the word
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(rf"(?<![\w-]){re.escape(place)}(?![\w-])", line) for line in own)
    return found / len(pairs)
