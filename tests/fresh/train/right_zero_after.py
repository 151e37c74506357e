# clears the gradients before the loop and after each step
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    optimizer.zero_grad()
    losses = []
    for rate, batch in zip(rates, batches):
        x, y = batch
        for g in optimizer.param_groups:
            g["lr"] = rate
        with torch.enable_grad():
            loss = model(x, y)[-1]
            loss.backward()
        torch.nn.utils.clip_grad_norm_([p for g in optimizer.param_groups for p in g["params"]], max_norm)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses
