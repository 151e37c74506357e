# counts bytes, not characters
def loss_positions(question, answer, block_size):
    q, a = len(question.encode()), len(answer.encode())
    return list(range(q - 1, q + a + 1))
