# a default list that grows from call to call
def loss_positions(question, answer, block_size, found=[]):
    for t in range(len(question) - 1, len(question) + len(answer) + 1):
        found.append(t)
    return found
