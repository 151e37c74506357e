# index and exceptions
def predict_place(generated):
    try:
        first = generated.index("⁇") + 1
    except ValueError:
        return ""
    try:
        return generated[first:generated.index("⁇", first)]
    except ValueError:
        return generated[first:]
