# makes an optimizer of its own
def train_epoch(model, optimizer, batches):
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=optimizer.param_groups[0]["lr"])
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
