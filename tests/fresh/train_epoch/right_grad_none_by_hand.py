# clears .grad by hand, and takes the loss from log_softmax with a picked column
def train_epoch(model, optimizer, batches):
    model.train(True)
    losses = []
    for batch in batches:
        for p in model.parameters():
            p.grad = None
        logp = model(batch["input_ids"], batch["attention_mask"]).log_softmax(-1)
        loss = -logp[torch.arange(len(logp)), batch["labels"]].mean()
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses
