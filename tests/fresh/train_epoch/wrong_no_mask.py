# forgets the attention mask
def train_epoch(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], torch.ones_like(b["input_ids"])), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
