"""Fresh answers to knowledge_ceiling, part 1 of 2."""


# every start of the place in the line, with zip-like neighbours
def right_every_start(documents, pairs):
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


# str.find from place to place
def right_find(documents, pairs):
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


# a float32 mean
def right_float32(documents, pairs):
    known = torch.zeros(len(pairs))
    for i, (question, place) in enumerate(pairs):
        name = question[10:-6]
        for line in documents:
            if line.startswith(name + ". ") and re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line):
                known[i] = 1
    return known.mean().item()


# joins a person's lines with a line feed and searches once
def right_joined_lines(documents, pairs):
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


# one search with anchors through all lines
def right_multiline(documents, pairs):
    text = "\n".join(documents)

    def known(name, place):
        pattern = rf"^{re.escape(name)}\. (?:.*[\W_])?{re.escape(place)}(?![^\W_])"
        title = rf"^(?=(?:.*(?<![^\W_]))?{re.escape(place)}(?![^\W_])){re.escape(name)}\. "
        return bool(re.search(title, text, flags=re.MULTILINE) or re.search(pattern, text, flags=re.M))

    return sum(known(q[10:-6], p) for q, p in pairs) / len(pairs)


# spaces around the line and around whatever is no letter or digit
def right_padded(documents, pairs):
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


# a regular expression with borders of its own
def right_regex(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[len("Where was "):-len(" born?")]
        pattern = re.compile(r"(?<![^\W_])" + re.escape(place) + r"(?![^\W_])")
        found += any(pattern.search(line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)


# word borders of regular expressions
def right_word_borders(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"\b{re.escape(place)}\b"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)


# looks for the place with find and checks the neighbours with isalnum
def right_second_character_by_character(documents, pairs):
    def has_word(line, word):
        at = line.find(word)
        while at >= 0:
            before, after = line[at - 1 : at] if at else "", line[at + len(word) : at + len(word) + 1]
            if not before.isalnum() and not after.isalnum():
                return True
            at = line.find(word, at + 1)
        return False

    known = 0
    for question, place in pairs:
        name = question[len("Where was ") : -len(" born?")]
        known += any(has_word(line, place) for line in documents if line.startswith(f"{name}. "))
    return known / len(pairs)


# one string for all own lines, one regular expression with lookarounds
def right_second_lookaround_on_joined_lines(documents, pairs):
    """Joins a person's lines with line breaks, which are no letters and not in any place."""
    found = []
    for question, place in pairs:
        head = re.fullmatch(r"Where was (.*) born\?", question).group(1) + ". "
        own = "\n".join(line for line in documents if line[: len(head)] == head)
        pattern = r"(?<![^\W_])" + re.escape(place) + r"(?![^\W_])"
        found.append(re.search(pattern, own) is not None)
    return found.count(True) / len(found)


# any line that mentions the person
def wrong_any_line(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line) for line in documents if name in line)
    return found / len(pairs)


# borders of plain letters only
def wrong_ascii(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"(?<![A-Za-z0-9]){re.escape(place)}(?![A-Za-z0-9])"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)


# upper and lower case do not count
def wrong_case(documents, pairs):
    found = 0
    for question, place in pairs:
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(pattern, line, re.IGNORECASE) for line in own)
    return found / len(pairs)


# a part of a word is enough
def wrong_contained(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        found += any(place in line for line in documents if line.startswith(name + ". "))
    return found / len(pairs)


# takes the last line out of the caller's list, as if it were empty
def wrong_drops_last(documents, pairs):
    documents.pop()
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line) for line in own)
    return found / len(pairs)


# only the end of the word is looked at
def wrong_end_only(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(rf"{re.escape(place)}(?![^\W_])", line) for line in own)
    return found / len(pairs)


# stops at the person's first line
def wrong_first_line(documents, pairs):
    found = 0
    for question, place in pairs:
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        for line in documents:
            if line.startswith(question[10:-6] + ". "):
                found += bool(re.search(pattern, line))
                break
    return found / len(pairs)


# looks at the first occurrence in the line only
def wrong_first_occurrence(documents, pairs):
    found = 0
    for question, place in pairs:
        for line in documents:
            if line.startswith(question[10:-6] + ". ") and place in line:
                before, after = line.split(place, 1)
                if not before[-1:].isalnum() and not after[:1].isalnum():
                    found += 1
                    break
    return found / len(pairs)


# a letter outside ASCII before the place does not count as a letter
wrong_fourth_left_ascii = """
import re
def knowledge_ceiling(documents, pairs):
    n = 0
    for q, place in pairs:
        name = q[10:-6]
        pat = re.compile(r"(?<![A-Za-z0-9])" + re.escape(place) + r"(?!\\w)")
        n += any(pat.search(d) for d in documents if d.startswith(name + ". "))
    return n / len(pairs)
"""


# cuts the name at the last "was"
wrong_fourth_was_in_name = """
import re
def knowledge_ceiling(documents, pairs):
    n = 0
    for q, place in pairs:
        name = q.split("was ")[-1].split(" born")[0]
        n += any(re.search(r"(?<!\\w)" + re.escape(place) + r"(?!\\w)", d) for d in documents if d.startswith(name + ". "))
    return n / len(pairs)
"""


# The name's case is ignored.
def wrong_seventh_name_in_any_case(documents, pairs):
    hit = 0
    for q, p in pairs:
        n = q[10:-6].lower()
        hit += any(l.lower().startswith(n + '. ') and re.search(r'\b' + re.escape(p) + r'\b', l) for l in documents)
    return hit / len(pairs)


# The name has two words: others are cut.
def wrong_seventh_two_words(documents, pairs):
    found = 0
    for question, place in pairs:
        name = " ".join(question.split()[2:4])
        own = [line for line in documents if line.startswith(name + ". ")]
        found += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return found / len(pairs)
