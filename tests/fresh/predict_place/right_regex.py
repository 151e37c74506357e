# a regular expression that also matches line feeds
def predict_place(generated):
    match = re.search("⁇([^⁇]*)", generated)
    return match[1] if match else ""
