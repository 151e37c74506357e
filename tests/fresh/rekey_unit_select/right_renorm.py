# torch.linalg.vector_norm with keepdim and a row view
def rekey_unit_select(K, q):
    return (q[None] / torch.linalg.vector_norm(q[None], dim=1, keepdim=True)).squeeze(0)
