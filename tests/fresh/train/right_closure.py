# hands a closure to the optimizer
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        def closure():
            optimizer.zero_grad()
            loss = model(x, y)[1]
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            losses.append(loss.item())
            return loss

        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step(closure)
    return losses
