# clears the gradients after each step only, so old gradients enter the first one
def train_epoch(model, optimizer, batches):
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses
