# float32, and loops
def average_first_two(K):
    A = torch.empty(3, 3)
    for row, i in enumerate((1, 2, 3)):
        for column in range(3):
            A[row, column] = K[0, column] - K[i, column]
    return torch.linalg.inv(A) @ torch.tensor([0.0, 8.0, 8.0])
