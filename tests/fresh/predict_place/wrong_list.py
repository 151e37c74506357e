# a list with the answer
def predict_place(generated):
    return generated.split("⁇")[1:2]
