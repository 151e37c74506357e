# the step gets a closure, which clears, computes and goes back
def train_epoch(model, optimizer, batches):
    model.train()

    def step(batch):
        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
            loss.backward()
            return loss

        return optimizer.step(closure).item()

    return [step(batch) for batch in batches]
