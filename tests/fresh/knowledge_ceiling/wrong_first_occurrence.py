# looks at the first occurrence in the line only
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        for line in documents:
            if line.startswith(question[10:-6] + ". ") and place in line:
                before, after = line.split(place, 1)
                if not before[-1:].isalnum() and not after[:1].isalnum():
                    found += 1
                    break
    return found / len(pairs)
