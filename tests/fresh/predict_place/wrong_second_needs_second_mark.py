# a regular expression that finds nothing if there is no second mark
def predict_place(generated):
    match = re.search("⁇(.*?)⁇", generated)
    return match.group(1) if match else ""
