# removes blanks at both ends of the text
def predict_place(generated):
    _, _, rest = generated.partition("⁇")
    return rest.partition("⁇")[0].strip()
