# up to the last mark
def predict_place(generated):
    first = generated.find("⁇")
    last = generated.rfind("⁇")
    if first < 0:
        return ""
    return generated[first + 1:last] if last > first else generated[first + 1:]
