"""Fresh answers to train, part 2 of 2."""


# the first batch of a list again and again
def wrong_first_batch(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate in rates:
        x, y = next(iter(batches))
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# the rate of the first group only
def wrong_first_group(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# scales the gradient to half of the limit
def wrong_halved(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        norm = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]).norm()
        if norm > max_norm:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm / 2)
        optimizer.step()
        losses.append(loss.item())
    return losses


# the loss after the step
def wrong_loss_after(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(model(x, y)[1].item())
    return losses


# the mean loss so far
def wrong_mean(model, optimizer, batches, rates, max_norm):
    model.train()
    losses, total = [], 0.0
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        total += loss.item()
        losses.append(total / (len(losses) + 1))
    return losses


# leaves the mode as it is
def wrong_mode(model, optimizer, batches, rates, max_norm):
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# makes its own AdamW
def wrong_new_optimizer(model, optimizer, batches, rates, max_norm):
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# gradients add up
def wrong_no_zero(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# ignores max_norm
def wrong_norm_one(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


# the first rate throughout
def wrong_one_rate(model, optimizer, batches, rates, max_norm):
    model.train()
    for group in optimizer.param_groups:
        group["lr"] = rates[0]
    losses = []
    for rate, (x, y) in zip(rates, batches):
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# no step on the last batch
def wrong_one_step_less(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for i, (rate, (x, y)) in enumerate(zip(rates, batches)):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        if i < len(rates) - 1:
            optimizer.step()
        losses.append(loss.item())
    return losses


# sets the rate after the step
def wrong_rate_late(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        for group in optimizer.param_groups:
            group["lr"] = rate
        losses.append(loss.item())
    return losses


# begins with the second batch
def wrong_skips_batch(model, optimizer, batches, rates, max_norm):
    model.train()
    batches = iter(batches)
    x, y = next(batches)
    model(x, y)
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# a list of tensors
def wrong_tensors(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss)
    return losses


# sets only the flag of the model itself
def wrong_top_mode(model, optimizer, batches, rates, max_norm):
    model.training = True
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# clears between backward and step
def wrong_zero_late(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses


# clips before the backward pass, so the new gradients are never clipped
def wrong_second_clip_before_backward(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


# clips the gradient of each parameter for itself and not all together
def wrong_second_clip_each_parameter(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        for parameter in model.parameters():
            torch.nn.utils.clip_grad_norm_([parameter], max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# sets the rate after the step, so each step uses the rate of the step before
def wrong_second_rate_one_step_late(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        for group in optimizer.param_groups:
            group["lr"] = rate
        losses.append(loss.item())
    return losses


# Evaluation mode for the losses.
def wrong_eval_after_first(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        model.eval()
        _, loss = model(x, y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
