# assumes that the question ends with a question mark
def predict_place(generated):
    if "?⁇" not in generated:
        return ""
    return generated.split("?⁇", 1)[1].split("⁇")[0]
