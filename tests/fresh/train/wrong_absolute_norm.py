# the sum of absolute values as the norm
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm, norm_type=1)
        optimizer.step()
        losses.append(loss.item())
    return losses
