# QR of the keys with ones, then a triangular system
def exact_logits(K, weights):
    table = torch.column_stack([K, torch.ones(4, dtype=torch.float64)])
    Q, R = torch.linalg.qr(table)
    right_side = (Q.T @ torch.log(weights)).unsqueeze(1)
    solution = torch.linalg.solve_triangular(R, right_side, upper=True)
    return solution.squeeze(1)[:3]
