# trains on the sum of the batch and reports the mean
def train_epoch(model, optimizer, batches):
    model.train()
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"], reduction="sum")
        loss.backward()
        optimizer.step()
        losses.append(loss.item() / len(batch["labels"]))
    return losses
