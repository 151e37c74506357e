# at most 32 characters
def predict_place(generated):
    return generated.partition("⁇")[2].partition("⁇")[0][:32]
