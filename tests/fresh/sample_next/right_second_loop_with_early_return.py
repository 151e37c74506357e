# a plain loop with early returns, exponentials from math
def sample_next(logits, temperature, u):
    numbers = logits.tolist()
    top = max(numbers)
    if not temperature:
        return numbers.index(top)
    exponentials = [math.exp((x - top) / temperature) for x in numbers]
    whole, running = math.fsum(exponentials), 0.0
    for token, e in enumerate(exponentials):
        running += e / whole
        if running > u:
            return token
    return len(numbers) - 1
