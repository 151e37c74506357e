# splits at ordinary question marks, too
def predict_place(generated):
    pieces = re.split("[?⁇]+", generated)
    return pieces[1] if len(pieces) > 1 else ""
