"""Fresh answers to train_epoch, part 2 of 2."""


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
