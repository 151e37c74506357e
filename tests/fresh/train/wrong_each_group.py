# clips each parameter group alone
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        for group in optimizer.param_groups:
            group["lr"] = rate
            torch.nn.utils.clip_grad_norm_(group["params"], max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
