# every start of the place in the line, with zip-like neighbours
def knowledge_ceiling(documents, pairs):
    def whole_word(place, line):
        line = f" {line} "
        n = len(place)
        return any(
            line[i:i + n] == place and not (line[i - 1].isalnum() or line[i + n].isalnum())
            for i in range(1, len(line) - n)
        )

    def known(question, place):
        name = question.split(" ", 2)[2].rsplit(" ", 1)[0]
        return any(whole_word(place, line) for line in documents if line.find(name + ". ") == 0)

    return sum(known(*pair) for pair in pairs) / len(pairs)
