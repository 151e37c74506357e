# returns None if there is no mark
def predict_place(generated):
    if "⁇" in generated:
        return generated.split("⁇")[1]
