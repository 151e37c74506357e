# the empty string if there is no second mark
def predict_place(generated):
    pieces = generated.split("⁇")
    return pieces[1] if len(pieces) > 2 else ""
