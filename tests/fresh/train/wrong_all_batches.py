# makes a list of all batches first, for ever
def train(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for (x, y), rate in zip(list(batches), rates):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
