# clips the gradient of each parameter for itself and not all together
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        for parameter in model.parameters():
            torch.nn.utils.clip_grad_norm_([parameter], max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
