# joins a person's lines with a line feed and searches once
def knowledge_ceiling(documents, pairs):
    total = 0
    for question, place in pairs:
        name = question[10:-6]
        own = "\n".join(line for line in documents if line.startswith(name + ". "))
        borders = [m for m in re.finditer(f"(?={re.escape(place)})", own)]
        for match in borders:
            a, b = match.start(), match.start() + len(place)
            if not own[max(a - 1, 0):a].isalnum() and not own[b:b + 1].isalnum():
                total += 1
                break
    return total / len(pairs)
