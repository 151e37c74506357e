# spaces around the line and around whatever is no letter or digit
def knowledge_ceiling(documents, pairs):
    def words(text):
        return [piece for piece in re.split(r"([\W_])", text) if piece]

    def contains(long, short):
        return any(long[i:i + len(short)] == short for i in range(len(long) - len(short) + 1))

    right = 0
    for question, place in pairs:
        name = re.fullmatch(r"Where was (.*) born\?", question)[1]
        for line in documents:
            if line[: len(name) + 2] == name + ". " and contains(words(line), words(place)):
                right += 1
                break
    return right / len(pairs)
