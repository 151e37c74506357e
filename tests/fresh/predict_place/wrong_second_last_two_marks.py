# takes the text between the first and the last mark
def predict_place(generated):
    first, last = generated.find("⁇"), generated.rfind("⁇")
    if first < 0:
        return ""
    return generated[first + 1 : last] if last > first else generated[first + 1 :]
