# one string for all own lines, one regular expression with lookarounds
def knowledge_ceiling(documents, pairs):
    """Joins a person's lines with line breaks, which are no letters and not in any place."""
    found = []
    for question, place in pairs:
        head = re.fullmatch(r"Where was (.*) born\?", question).group(1) + ". "
        own = "\n".join(line for line in documents if line[: len(head)] == head)
        pattern = r"(?<![^\W_])" + re.escape(place) + r"(?![^\W_])"
        found.append(re.search(pattern, own) is not None)
    return found.count(True) / len(found)
