# takes the first question mark as the end of the question
def loss_positions(question, answer, block_size):
    end = (question + "?").index("?")
    return list(range(end, end + len(answer) + 2))
