# builds y as the dataset class does and looks where it is not padding
def loss_positions(question, answer, block_size):
    row = list(question) + ["⁇"] + list(answer) + ["⁇"]
    row += ["□"] * (block_size - len(row))
    y = row[1:]
    for t in range(len(question) - 1):
        y[t] = "□"
    return [t for t, target in enumerate(y) if target != "□"]
