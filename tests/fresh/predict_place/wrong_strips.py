# strips spaces
def predict_place(generated):
    return generated.partition("⁇")[2].partition("⁇")[0].strip()
