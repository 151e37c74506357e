# unpacking with a star
def predict_place(generated):
    _, answer, *rest = [*generated.split("⁇", 2), ""]
    return answer
