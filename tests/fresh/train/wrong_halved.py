# scales the gradient to half of the limit
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        norm = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]).norm()
        if norm > max_norm:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm / 2)
        optimizer.step()
        losses.append(loss.item())
    return losses
