# the mean loss so far
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses, total = [], 0.0
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        total += loss.item()
        losses.append(total / (len(losses) + 1))
    return losses
