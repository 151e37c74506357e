# no step on the last batch
def train_epoch(model, optimizer, batches):
    model.train()
    losses = []
    for i, b in enumerate(batches):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        if i < len(batches) - 1:
            optimizer.step()
        losses.append(loss.item())
    return losses
