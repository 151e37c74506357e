# returns running means of the losses
def train_epoch(model, optimizer, batches):
    model.train()
    losses, total = [], 0.0
    for n, b in enumerate(batches, 1):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        total += loss.item()
        losses.append(total / n)
    return losses
