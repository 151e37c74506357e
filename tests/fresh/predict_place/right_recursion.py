# recursion to the first mark
def predict_place(generated):
    if not generated:
        return ""
    if generated[0] != "⁇":
        return predict_place(generated[1:])
    end = generated.find("⁇", 1)
    return generated[1:] if end < 0 else generated[1:end]
