# fails if there is no mark
def predict_place(generated):
    return generated.split("⁇")[1]
