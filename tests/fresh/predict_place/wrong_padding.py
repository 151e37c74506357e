# removes padding
def predict_place(generated):
    return generated.partition("⁇")[2].partition("⁇")[0].rstrip("□")
