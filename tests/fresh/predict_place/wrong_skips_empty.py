# skips empty pieces
def predict_place(generated):
    pieces = [piece for piece in generated.split("⁇") if piece]
    return pieces[1] if len(pieces) > 1 else ""
