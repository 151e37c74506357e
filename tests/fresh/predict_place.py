"""Fresh answers to predict_place."""


# takewhile after dropwhile
right_itertools = """
from itertools import dropwhile, takewhile


def predict_place(generated):
    rest = list(dropwhile(lambda c: c != "⁇", generated))[1:]
    return "".join(takewhile(lambda c: c != "⁇", rest))
"""


# a state machine over the characters
def right_loop(generated):
    inside, answer = False, ""
    for character in generated:
        if character == "⁇":
            if inside:
                return answer
            inside = True
        elif inside:
            answer += character
    return answer


# partition, twice
def right_partition(generated):
    return generated.partition("⁇")[2].partition("⁇")[0]


# recursion to the first mark
def right_recursion(generated):
    if not generated:
        return ""
    if generated[0] != "⁇":
        return predict_place(generated[1:])
    end = generated.find("⁇", 1)
    return generated[1:] if end < 0 else generated[1:end]


# a regular expression that also matches line feeds
def right_regex(generated):
    match = re.search("⁇([^⁇]*)", generated)
    return match[1] if match else ""


# the second piece of the list, if there is one
def right_split_list(generated):
    pieces = generated.split("⁇")
    return pieces[1] if len(pieces) > 1 else ""


# unpacking with a star
def right_starred(generated):
    _, answer, *rest = [*generated.split("⁇", 2), ""]
    return answer


# index and exceptions
def right_try(generated):
    try:
        first = generated.index("⁇") + 1
    except ValueError:
        return ""
    try:
        return generated[first:generated.index("⁇", first)]
    except ValueError:
        return generated[first:]


# splits with two marks added at the end, so there are always enough pieces
def right_second_padded_split(generated):
    return (generated + "⁇⁇").split("⁇")[1] if "⁇" in generated else ""


# walks over the characters and counts the marks
def right_second_state_machine(generated: str) -> str:
    marks, place = 0, []
    for character in generated:
        if character == "⁇":
            marks += 1
            if marks == 2:
                break
        elif marks == 1:
            place.append(character)
    return "".join(place)


# at most 32 characters
def wrong_32(generated):
    return generated.partition("⁇")[2].partition("⁇")[0][:32]


# the first word only
def wrong_first_word(generated):
    words = generated.partition("⁇")[2].partition("⁇")[0].split(" ")
    return words[0]


# up to the last mark
def wrong_last_mark(generated):
    first = generated.find("⁇")
    last = generated.rfind("⁇")
    if first < 0:
        return ""
    return generated[first + 1:last] if last > first else generated[first + 1:]


# the last piece
def wrong_last_piece(generated):
    pieces = generated.split("⁇")
    return pieces[-1] if len(pieces) > 1 else ""


# a list with the answer
def wrong_list(generated):
    return generated.split("⁇")[1:2]


# assumes that the question ends with a question mark
def wrong_mark_first(generated):
    if "?⁇" not in generated:
        return ""
    return generated.split("?⁇", 1)[1].split("⁇")[0]


# find without a look at −1 loses the last character
def wrong_minus_one(generated):
    first = generated.find("⁇")
    if first == -1:
        return ""
    return generated[first + 1:generated.find("⁇", first + 1)]


# everything if there is no mark
def wrong_no_mark(generated):
    pieces = generated.split("⁇")
    return pieces[1] if len(pieces) > 1 else pieces[0]


# the empty string if there is no second mark
def wrong_no_second(generated):
    pieces = generated.split("⁇")
    return pieces[1] if len(pieces) > 2 else ""


# without a second mark, up to the end of the line
def wrong_no_second_line(generated):
    pieces = generated.split("⁇")
    if len(pieces) == 2:
        return pieces[1].split("\n")[0]
    return pieces[1] if len(pieces) > 2 else ""


# returns None if there is no mark
def wrong_none(generated):
    if "⁇" in generated:
        return generated.split("⁇")[1]


# a pattern whose dot stops at a line feed
def wrong_one_line(generated):
    match = re.search("⁇(.*?)(?:⁇|$)", generated)
    return match.group(1) if match else ""


# removes padding
def wrong_padding(generated):
    return generated.partition("⁇")[2].partition("⁇")[0].rstrip("□")


# splits at ordinary question marks, too
def wrong_question_mark(generated):
    pieces = re.split("[?⁇]+", generated)
    return pieces[1] if len(pieces) > 1 else ""


# fails if there is no mark
def wrong_raises(generated):
    return generated.split("⁇")[1]


# skips empty pieces
def wrong_skips_empty(generated):
    pieces = [piece for piece in generated.split("⁇") if piece]
    return pieces[1] if len(pieces) > 1 else ""


# several spaces become one
def wrong_spaces_joined(generated):
    return " ".join(generated.partition("⁇")[2].partition("⁇")[0].split())


# strips spaces
def wrong_strips(generated):
    return generated.partition("⁇")[2].partition("⁇")[0].strip()


# between the second and the third mark
def wrong_second_and_third(generated):
    pieces = generated.split("⁇")
    return pieces[2] if len(pieces) > 2 else "".join(pieces[1:2])


# takes the text between the first and the last mark
def wrong_second_last_two_marks(generated):
    first, last = generated.find("⁇"), generated.rfind("⁇")
    if first < 0:
        return ""
    return generated[first + 1 : last] if last > first else generated[first + 1 :]


# a regular expression that finds nothing if there is no second mark
def wrong_second_needs_second_mark(generated):
    match = re.search("⁇(.*?)⁇", generated)
    return match.group(1) if match else ""


# removes blanks at both ends of the text
def wrong_second_strips_blanks(generated):
    _, _, rest = generated.partition("⁇")
    return rest.partition("⁇")[0].strip()


# Two ordinary question marks count as ⁇.
def wrong_question_marks(generated):
    parts = generated.replace("??", "⁇").split("⁇")
    return parts[1] if len(parts) > 1 else ""


# a tab becomes a space
def wrong_fourth_tabs(generated):
    p = generated.split("⁇")
    return p[1].replace("\t", " ") if len(p) > 1 else ""


# reads the first 200 characters only
def wrong_fourth_256(generated):
    p = generated[:200].split("⁇")
    return p[1] if len(p) > 1 else ""


# splits at the ? of the question first
def wrong_fifth_from_the_question_mark(generated):
    parts = generated[generated.find('?') + 1 :].split('⁇')
    return parts[1] if len(parts) > 1 else ''


# Stops at padding, too.
def wrong_seventh_up_to_padding(generated):
    return re.split('[⁇□]', generated.partition('⁇')[2])[0]
