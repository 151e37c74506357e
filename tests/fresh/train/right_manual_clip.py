# clips by hand, with the exact ratio
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        model.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        grads = [p.grad for p in model.parameters() if p.grad is not None]
        norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in grads))
        if norm > max_norm:
            for g in grads:
                g *= max_norm / norm
        optimizer.step()
        losses.append(loss.item())
    return losses
