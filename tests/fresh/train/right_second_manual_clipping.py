# the norm and the scaling by hand, next() on an iterator
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    source, losses = iter(batches), []
    for rate in rates:
        x, y = next(source)
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        norm = math.sqrt(sum(float(g.double().square().sum()) for g in gradients))
        if norm > max_norm:
            for g in gradients:
                g.mul_(max_norm / norm)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        losses.append(loss.item())
    return losses
