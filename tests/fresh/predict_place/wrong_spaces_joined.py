# several spaces become one
def predict_place(generated):
    return " ".join(generated.partition("⁇")[2].partition("⁇")[0].split())
