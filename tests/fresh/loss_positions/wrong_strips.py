# ignores spaces at the ends of the answer
def loss_positions(question, answer, block_size):
    answer = answer.strip()
    return list(range(len(question) - 1, len(question) + len(answer) + 1))
