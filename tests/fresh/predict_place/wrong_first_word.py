# the first word only
def predict_place(generated):
    words = generated.partition("⁇")[2].partition("⁇")[0].split(" ")
    return words[0]
