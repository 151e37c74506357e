# find without a look at −1 loses the last character
def predict_place(generated):
    first = generated.find("⁇")
    if first == -1:
        return ""
    return generated[first + 1:generated.find("⁇", first + 1)]
