# between the second and the third mark
def predict_place(generated):
    pieces = generated.split("⁇")
    return pieces[2] if len(pieces) > 2 else "".join(pieces[1:2])
