# a digit may stand beside the place
def knowledge_ceiling(documents, pairs):
    found = 0
    for question, place in pairs:
        for line in documents:
            if line.startswith(question[10:-6] + ". "):
                hits = [m.start() for m in re.finditer(re.escape(place), line)]
                if any(not line[h - 1].isalpha() and not line[h + len(place):][:1].isalpha() for h in hits):
                    found += 1
                    break
    return found / len(pairs)
