# does not switch to training mode, so dropout stays off if the model comes in evaluation mode
def train_epoch(model, optimizer, batches):
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        logits = model(batch["input_ids"], batch["attention_mask"])
        loss = F.cross_entropy(logits, batch["labels"])
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses
