# without a second mark, up to the end of the line
def predict_place(generated):
    pieces = generated.split("⁇")
    if len(pieces) == 2:
        return pieces[1].split("\n")[0]
    return pieces[1] if len(pieces) > 2 else ""
