# the first rate throughout
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    for group in optimizer.param_groups:
        group["lr"] = rates[0]
    losses = []
    for rate, (x, y) in zip(rates, batches):
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
