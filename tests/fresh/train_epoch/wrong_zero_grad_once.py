# clears only once, before the loop
def train_epoch(model, optimizer, batches):
    model.train()
    optimizer.zero_grad()
    losses = []
    for b in batches:
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
