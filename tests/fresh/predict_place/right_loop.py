# a state machine over the characters
def predict_place(generated):
    inside, answer = False, ""
    for character in generated:
        if character == "⁇":
            if inside:
                return answer
            inside = True
        elif inside:
            answer += character
    return answer
