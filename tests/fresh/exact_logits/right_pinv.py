# pseudo-inverse with the shift column of another size
def exact_logits(K, weights):
    M = torch.cat((K, torch.full((4, 1), -2.5, dtype=K.dtype)), dim=1)
    return (torch.linalg.pinv(M) @ torch.log(weights)).split((3, 1))[0]
