"""Fresh answers to loss_positions."""


# asks the dataset class of the library which targets are not padding
def right_dataset(question, answer, block_size):
    vocabulary = Vocabulary.from_text(question + answer)
    x, y = NameDataset([Pair(question, answer)], vocabulary, block_size)[0]
    return y.nonzero().flatten().tolist()


# counts with enumerate over pieces
def right_enumerate(question, answer, block_size):
    pieces = [False] * (len(question) - 1) + [True] * (len(answer) + 2)
    return [t for t, wanted in enumerate(pieces) if wanted]


# numpy integers in a list
def right_numpy(question, answer, block_size):
    return list(np.arange(len(question) - 1, len(question) + len(answer) + 1))


# recursion from the last position to the first
def right_recursion(question, answer, block_size):
    if not answer:
        return [len(question) - 1, len(question)]
    rest = loss_positions(question, answer[:-1], block_size)
    return rest + [rest[-1] + 1]


# builds y as text and looks at each character
def right_row(question, answer, block_size):
    row = (question + "⁇" + answer + "⁇").ljust(block_size, "□")
    y = "□" * (len(question) - 1) + row[len(question):]
    found = []
    t = 0
    while t < len(y):
        if y[t] != "□":
            found.append(t)
        t += 1
    return found


# a torch mask, and tolist
def right_torch(question, answer, block_size):
    t = torch.arange(block_size - 1)
    mask = (t >= len(question) - 1) & (t <= len(question) + len(answer))
    return torch.where(mask)[0].tolist()


# finds both marks in the row from their own places
def right_two_marks(question, answer, block_size):
    first = len(question)
    second = first + 1 + len(answer)
    return [place - 1 for place in range(first, second + 1)]


# unpacks a range, counts from the back
def right_unpacked(question, answer, block_size):
    last = len(question + answer)
    return [*range(last, last - len(answer) - 2, -1)][::-1]


# builds y as the dataset class does and looks where it is not padding
def right_second_builds_the_target(question, answer, block_size):
    row = list(question) + ["⁇"] + list(answer) + ["⁇"]
    row += ["□"] * (block_size - len(row))
    y = row[1:]
    for t in range(len(question) - 1):
        y[t] = "□"
    return [t for t, target in enumerate(y) if target != "□"]


# a while loop over the answer with its two marks
def right_second_counts_characters(question: str, answer: str, block_size: int) -> list:
    """One position for each character of ⁇ answer ⁇, from the last character of the question on."""
    t = len(question) - 1
    positions = []
    left = len(answer) + 2
    while left:
        positions.append(t)
        t, left = t + 1, left - 1
    return positions


# only the characters of the answer
def wrong_answer_only(question, answer, block_size):
    return list(range(len(question), len(question) + len(answer)))


# counts bytes, not characters
def wrong_bytes(question, answer, block_size):
    q, a = len(question.encode()), len(answer.encode())
    return list(range(q - 1, q + a + 1))


# every place whose character is one of the answer
def wrong_characters(question, answer, block_size):
    row = question + "⁇" + answer + "⁇"
    return [t for t in range(len(row) - 1) if row[t + 1] in answer + "⁇"]


# drops a target that occurred before
def wrong_distinct(question, answer, block_size):
    found, seen = [len(question) - 1], set()
    for i, character in enumerate(answer):
        if character not in seen:
            found.append(len(question) + i)
            seen.add(character)
    return found + [len(question) + len(answer)]


# loses the last target if the row fills the block
def wrong_full_row(question, answer, block_size):
    last = min(len(question) + len(answer), block_size - 3)
    return list(range(len(question) - 1, last + 1))


# an empty answer has no targets
def wrong_no_answer(question, answer, block_size):
    if answer == "":
        return []
    return list(range(len(question) - 1, len(question) + len(answer) + 1))


# without the second mark
def wrong_no_second_mark(question, answer, block_size):
    return list(range(len(question) - 1, len(question) + len(answer)))


# to the end of the block
def wrong_padding(question, answer, block_size):
    return list(range(len(question) - 1, block_size - 1))


# takes the first question mark as the end of the question
def wrong_question_mark(question, answer, block_size):
    end = (question + "?").index("?")
    return list(range(end, end + len(answer) + 2))


# the positions in the row, one too large
def wrong_row_positions(question, answer, block_size):
    first = len(question)
    return list(range(first, first + len(answer) + 2))


# searches for the answer, which may be in the question
def wrong_searches_answer(question, answer, block_size):
    row = question + "⁇" + answer + "⁇"
    first = row.index(answer) - 2
    return list(range(first, first + len(answer) + 2))


# a default list that grows from call to call
def wrong_shared_list(question, answer, block_size, found=[]):
    for t in range(len(question) - 1, len(question) + len(answer) + 1):
        found.append(t)
    return found


# ignores spaces at the ends of the answer
def wrong_strips(question, answer, block_size):
    answer = answer.strip()
    return list(range(len(question) - 1, len(question) + len(answer) + 1))


# the characters and not their positions
def wrong_text(question, answer, block_size):
    return list("⁇" + answer + "⁇")


# the question is also predicted
def wrong_whole_question(question, answer, block_size):
    return list(range(len(question) + len(answer) + 1))


# searches for the answer in the row and finds it in the question first
def wrong_second_finds_answer_by_search(question, answer, block_size):
    row = question + "⁇" + answer + "⁇"
    place = row.find(answer)
    return list(range(place - 2, place + len(answer)))


# counts positions of the row, not of y, so all are one too large
def wrong_second_positions_in_the_row(question, answer, block_size):
    return list(range(len(question), len(question) + len(answer) + 2))


# forgets the ⁇ that says that the answer is complete
def wrong_second_second_mark_missing(question, answer, block_size):
    first = len(question) - 1
    return [first + i for i in range(len(answer) + 1)]


# at most thirty characters of the answer
def wrong_fourth_upto_60(question, answer, block_size):
    return list(range(len(question) - 1, len(question) + min(len(answer), 30) + 1))


# The shift is right, but positions are counted from 1.
def wrong_seventh_counts_from_one(question, answer, block_size):
    row = question + '⁇' + answer + '⁇'
    row += '□' * (block_size - len(row))
    y = '□' * (len(question) - 1) + row[len(question):]
    return [t for t, c in enumerate(y, 1) if c != '□']
