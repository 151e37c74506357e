# shuffles the batches
def train_epoch(model, optimizer, batches):
    model.train()
    losses = []
    for i in torch.randperm(len(batches)).tolist():
        b = batches[i]
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
