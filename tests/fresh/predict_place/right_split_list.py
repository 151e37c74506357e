# the second piece of the list, if there is one
def predict_place(generated):
    pieces = generated.split("⁇")
    return pieces[1] if len(pieces) > 1 else ""
