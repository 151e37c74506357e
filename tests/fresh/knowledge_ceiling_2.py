"""Fresh answers to knowledge_ceiling, part 2 of 2."""


# a hyphen counts as a part of the word
def wrong_hyphen(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(rf"(?<![\w-]){re.escape(place)}(?![\w-])", line) for line in own)
    return found / len(pairs)


# a space or the end must follow, so punctuation ends no word
def wrong_in_spaces(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(f" {place} " in f"{line} ".replace(".", " ").replace(",", " ") for line in own)
    return found / len(pairs)


# divides by the pairs whose person has a line
def wrong_known_people(documents, pairs):
    found = people = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        people += bool(own)
        found += any(re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line) for line in own)
    return found / people


# a dictionary by name keeps only the last line of each person
def wrong_last_line(documents, pairs):
    lines = {line.split(". ")[0]: line for line in documents}
    found = 0
    for question, place in pairs:
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += bool(re.search(pattern, lines.get(question[10:-6], "")))
    return found / len(pairs)


# a digit may stand beside the place
def wrong_letters_only(documents, pairs):
    found = 0
    for question, place in pairs:
        for line in documents:
            if line.startswith(question[10:-6] + ". "):
                hits = [m.start() for m in re.finditer(re.escape(place), line)]
                if any(not line[h - 1].isalpha() and not line[h + len(place):][:1].isalpha() for h in hits):
                    found += 1
                    break
    return found / len(pairs)


# lines that begin with the name and a full stop, without the space
def wrong_name_and_stop(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name + "."))
    return found / len(pairs)


# lines that begin with the name, without the full stop
def wrong_name_only(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name))
    return found / len(pairs)


# the name is used as a pattern
def wrong_name_pattern(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if re.match(question[10:-6] + r"\. ", line)]
        found += any(re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line) for line in own)
    return found / len(pairs)


# counts a pair once for each line that states it
def wrong_once_a_line(documents, pairs):
    found = 0
    for question, place in pairs:
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        for line in documents:
            if line.startswith(question[10:-6] + ". ") and re.search(pattern, line):
                found += 1
    return found / len(pairs)


# rounded to two places
def wrong_rounded(documents, pairs):
    found = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        found += any(re.search(rf"(?<![^\W_]){re.escape(place)}(?![^\W_])", line) for line in own)
    return round(found / len(pairs), 2)


# words split at spaces and stripped of punctuation
def wrong_split(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        found += any(
            place in [word.strip(".,;:()") for word in line.split()] for line in documents if line.startswith(name + ". ")
        )
    return found / len(pairs)


# strip() with letters eats the ends of the name
def wrong_strip_letters(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question.strip("Where was").strip("born?").strip()
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)


# the name is the third and the fourth word of the question
def wrong_two_words(documents, pairs):
    found = 0
    for question, place in pairs:
        name = " ".join(question.split()[2:4])
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)


# the place is used as a pattern
def wrong_unescaped(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"(?<![^\W_]){place}(?![^\W_])"
        found += any(re.search(pattern, line) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)


# the title does not count, so a place in the name is not seen
def wrong_without_title(documents, pairs):
    found = 0
    for question, place in pairs:
        name = question[10:-6]
        pattern = rf"(?<![^\W_]){re.escape(place)}(?![^\W_])"
        found += any(re.search(pattern, line[len(name) + 2:]) for line in documents if line.startswith(name + ". "))
    return found / len(pairs)


# every line that begins with the name counts, also that of a person with a longer name
def wrong_second_name_without_full_stop(documents, pairs):
    hits = 0
    for question, place in pairs:
        name = question[len("Where was ") : -len(" born?")]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in documents if line.startswith(name))
    return hits / len(pairs)


# a dict from name to line keeps only the last line of a person
def wrong_second_one_line_for_each_name(documents, pairs):
    line_of = {line.split(". ")[0]: line for line in documents if ". " in line}
    hits = 0
    for question, place in pairs:
        name = question[10:-6]
        hits += re.search(rf"\b{re.escape(place)}\b", line_of.get(name, "")) is not None
    return hits / len(pairs)


# the place may be a part of a longer word
def wrong_second_substring(documents, pairs):
    hits = 0
    for question, place in pairs:
        name = question.removeprefix("Where was ").removesuffix(" born?")
        hits += any(place in line for line in documents if line.startswith(name + ". "))
    return hits / len(pairs)
