# no step on the last batch
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for i, (rate, (x, y)) in enumerate(zip(rates, batches)):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        if i < len(rates) - 1:
            optimizer.step()
        losses.append(loss.item())
    return losses
