# shuffles the caller's list in place
def train_epoch(model, optimizer, batches):
    model.train()
    random.shuffle(batches)
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
