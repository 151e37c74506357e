# builds y as text and looks at each character
def loss_positions(question, answer, block_size):
    row = (question + "⁇" + answer + "⁇").ljust(block_size, "□")
    y = "□" * (len(question) - 1) + row[len(question):]
    found = []
    t = 0
    while t < len(y):
        if y[t] != "□":
            found.append(t)
        t += 1
    return found
