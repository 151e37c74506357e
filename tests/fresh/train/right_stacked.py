# keeps tensors and converts all of them at the end
def train(model, optimizer, batches, rates, max_norm):
    model.train(True)
    stream = iter(batches)
    losses = torch.zeros(len(rates))
    for step, rate in enumerate(rates):
        optimizer.zero_grad(set_to_none=False)
        logits, loss = model(*next(stream))
        loss.backward()
        losses[step] = loss.detach()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm, foreach=False)
        for group in optimizer.param_groups:
            group.update(lr=rate)
        optimizer.step()
    return losses.tolist()
