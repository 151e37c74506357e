# sum of losses divided by the batch size; a one-hot product for each sentence
def train_epoch(model, optimizer, batches):
    model.train()
    losses = []
    for ids, mask, y in ((b["input_ids"], b["attention_mask"], b["labels"]) for b in batches):
        optimizer.zero_grad()
        z = model(ids, mask)
        nll = torch.logsumexp(z, dim=-1) - (z * F.one_hot(y, 2)).sum(-1)
        loss = nll.sum() / y.numel()
        loss.backward()
        optimizer.step()
        losses += [loss.tolist()]
    return losses
