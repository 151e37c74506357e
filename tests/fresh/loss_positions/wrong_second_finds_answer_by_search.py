# searches for the answer in the row and finds it in the question first
def loss_positions(question, answer, block_size):
    row = question + "⁇" + answer + "⁇"
    place = row.find(answer)
    return list(range(place - 2, place + len(answer)))
