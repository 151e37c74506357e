# drops a target that occurred before
def loss_positions(question, answer, block_size):
    found, seen = [len(question) - 1], set()
    for i, character in enumerate(answer):
        if character not in seen:
            found.append(len(question) + i)
            seen.add(character)
    return found + [len(question) + len(answer)]
