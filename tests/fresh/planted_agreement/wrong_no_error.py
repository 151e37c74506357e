# divides by zero where follow is 1/k
def planted_agreement(hit, follow, k):
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)
