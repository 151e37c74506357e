# splits with two marks added at the end, so there are always enough pieces
def predict_place(generated):
    return (generated + "⁇⁇").split("⁇")[1] if "⁇" in generated else ""
