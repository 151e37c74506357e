# sum over the batch for the step, mean for the list
def train_epoch(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"], reduction="sum")
        loss.backward()
        optimizer.step()
        losses.append(loss.item() / len(b["labels"]))
    return losses
