"""Fresh answers to train_epoch."""


# torch.autograd.grad instead of backward
def right_autograd_grad(model, optimizer, batches):
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

# clears before the loop and after every step, and returns numpy floats
def right_clear_after_step(model, optimizer, batches):
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

# the step gets a closure, which clears, computes and goes back
def right_closure(model, optimizer, batches):
    model.train()
    def step(batch):
        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
            loss.backward()
            return loss
        return optimizer.step(closure).item()
    return [step(batch) for batch in batches]

# clears .grad by hand, and takes the loss from log_softmax with a picked column
def right_grad_none_by_hand(model, optimizer, batches):
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

# sum of losses divided by the batch size; a one-hot product for each sentence
def right_sum_divided(model, optimizer, batches):
    model.train()
    losses = []
    for ids, mask, y in ((b["input_ids"], b["attention_mask"], b["labels"]) for b in batches):
        optimizer.zero_grad()
        z = model(ids, mask)
        nll = torch.logsumexp(z, dim=-1) - (z * F.one_hot(y, 2)).sum(-1)
        loss = nll.sum() / y.numel()
        loss.backward()
        optimizer.step()
        losses += [loss.tolist()]
    return losses

# gives the step to the optimizer as a closure that clears, computes and returns the loss
def right_second_closure_step(model, optimizer, batches):
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

# cross-entropy from logsumexp, gradients cleared by the model, losses converted at the end
def right_second_cross_entropy_by_hand(model, optimizer, batches):
    model.train(True)
    noted = []
    for batch in batches:
        model.zero_grad()
        logits = model(batch["input_ids"], batch["attention_mask"])
        rows = torch.arange(len(logits), device=logits.device)
        nats = torch.logsumexp(logits, dim=-1) - logits[rows, batch["labels"]]
        loss = nats.sum() / len(nats)
        loss.backward()
        optimizer.step()
        noted.append(loss.detach())
    return [float(each) for each in noted]

# clips the gradient norm at 1, which nobody asked for
def wrong_clips_gradient(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.05)
        optimizer.step()
        losses.append(loss.item())
    return losses

# trains in evaluation mode
def wrong_eval_mode(model, optimizer, batches):
    model.eval()
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

# the loss after the step
def wrong_loss_after_step(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        optimizer.zero_grad()
        F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"]).backward()
        optimizer.step()
        losses.append(F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"]).item())
    return losses

# never clears the gradients
def wrong_never_zero_grad(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

# no step on the last batch
def wrong_no_last_step(model, optimizer, batches):
    model.train()
    losses = []
    for i, b in enumerate(batches):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        if i < len(batches) - 1:
            optimizer.step()
        losses.append(loss.item())
    return losses

# forgets the attention mask
def wrong_no_mask(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], torch.ones_like(b["input_ids"])), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

# makes an optimizer of its own
def wrong_own_optimizer(model, optimizer, batches):
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

# shuffles the batches
def wrong_random_order(model, optimizer, batches):
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

# returns tensors that still hold the graph
def wrong_returns_tensors(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses

# returns running means of the losses
def wrong_running_mean(model, optimizer, batches):
    model.train()
    losses, total = [], 0.0
    for n, b in enumerate(batches, 1):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        total += loss.item()
        losses.append(total / n)
    return losses

# shuffles the caller's list in place
def wrong_shuffles_given_list(model, optimizer, batches):
    model.train()
    random.shuffle(batches)
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

# sum over the batch for the step, mean for the list
def wrong_sum_loss(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"], reduction="sum")
        loss.backward()
        optimizer.step()
        losses.append(loss.item() / len(b["labels"]))
    return losses

# trains a deep copy of the model
def wrong_trains_a_copy(model, optimizer, batches):
    model = copy.deepcopy(model).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=optimizer.param_groups[0]["lr"])
    losses = []
    for b in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

# clears between backward and step
def wrong_zero_after_backward(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses

# clears after each step, so old gradients enter the first step
def wrong_zero_after_step_only(model, optimizer, batches):
    model.train()
    losses = []
    for b in batches:
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses

# clears only once, before the loop
def wrong_zero_grad_once(model, optimizer, batches):
    model.train()
    optimizer.zero_grad()
    losses = []
    for b in batches:
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses

# clears the gradients after each step only, so old gradients enter the first one
def wrong_second_cleared_after_the_step(model, optimizer, batches):
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses

# does not switch to training mode, so dropout stays off if the model comes in evaluation mode
def wrong_second_mode_not_set(model, optimizer, batches):
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        logits = model(batch["input_ids"], batch["attention_mask"])
        loss = F.cross_entropy(logits, batch["labels"])
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses

# trains on the sum of the batch and reports the mean
def wrong_second_sum_of_losses(model, optimizer, batches):
    model.train()
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"], reduction="sum")
        loss.backward()
        optimizer.step()
        losses.append(loss.item() / len(batch["labels"]))
    return losses


# one step at the end for all batches
def wrong_one_step(model, optimizer, batches):
    model.train()
    optimizer.zero_grad()
    losses = []
    for b in batches:
        loss = F.cross_entropy(model(b["input_ids"], b["attention_mask"]), b["labels"])
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    return losses
