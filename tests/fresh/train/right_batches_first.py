# takes one batch more than it needs from the generator
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for i, (x, y) in enumerate(batches):
        if i == len(rates):
            break
        for group in optimizer.param_groups:
            group["lr"] = rates[i]
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(float(loss))
    return losses
