# torch.autograd.grad instead of backward
def train_epoch(model, optimizer, batches):
    model.train()
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    out = []
    for b in batches:
        loss = nn.CrossEntropyLoss()(model(b["input_ids"], b["attention_mask"]), b["labels"])
        for p, g in zip(parameters, torch.autograd.grad(loss, parameters)):
            p.grad = g
        optimizer.step()
        out.append(loss.detach().numpy().item())
    return out
