# everything if there is no mark
def predict_place(generated):
    pieces = generated.split("⁇")
    return pieces[1] if len(pieces) > 1 else pieces[0]
