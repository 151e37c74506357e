# gradient ascent on the log weight
def select_first(K):
    q = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([q], lr=1.0)
    for _ in range(3000):
        loss = -torch.log_softmax(K @ q, dim=0)[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss < 0.005:
            break
    return q.detach()
