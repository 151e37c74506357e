# the loss after the step
def train_epoch(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        optimizer.zero_grad()
        F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"]).backward()
        optimizer.step()
        losses.append(F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"]).item())
    return losses
