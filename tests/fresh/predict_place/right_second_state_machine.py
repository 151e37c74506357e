# walks over the characters and counts the marks
def predict_place(generated: str) -> str:
    marks, place = 0, []
    for character in generated:
        if character == "⁇":
            marks += 1
            if marks == 2:
                break
        elif marks == 1:
            place.append(character)
    return "".join(place)
