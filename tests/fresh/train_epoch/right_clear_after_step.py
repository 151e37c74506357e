# clears before the loop and after every step, and returns numpy floats
def train_epoch(model, optimizer, batches):
    model.train()
    optimizer.zero_grad()
    losses = np.zeros(len(batches))
    for i, batch in enumerate(batches):
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"])
        loss = F.cross_entropy(logits, batch["labels"])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
        losses[i] = loss.item()
    return list(losses)
