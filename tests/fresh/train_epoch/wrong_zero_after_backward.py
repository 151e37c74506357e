# clears between backward and step
def train_epoch(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses
