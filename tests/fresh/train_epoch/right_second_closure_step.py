# gives the step to the optimizer as a closure that clears, computes and returns the loss
def train_epoch(model, optimizer, batches):
    model.train()

    def one(batch):
        def closure():
            optimizer.zero_grad(set_to_none=False)
            loss = nn.NLLLoss()(
                F.log_softmax(model(batch["input_ids"], batch["attention_mask"]), dim=1), batch["labels"]
            )
            loss.backward()
            return loss

        return optimizer.step(closure).item()

    return [one(batch) for batch in batches]
