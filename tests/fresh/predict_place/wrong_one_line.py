# a pattern whose dot stops at a line feed
def predict_place(generated):
    match = re.search("⁇(.*?)(?:⁇|$)", generated)
    return match.group(1) if match else ""
