# begins with the second batch
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    batches = iter(batches)
    x, y = next(batches)
    model(x, y)
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
