"""Fresh answers to train, part 1 of 2."""


# torch.autograd.grad, written into the parameters
def right_autograd(model, optimizer, batches, rates, max_norm):
    model.train()
    batches = iter(batches)
    parameters = [p for p in model.parameters() if p.requires_grad]
    losses = []
    for rate in rates:
        x, y = next(batches)
        loss = model(x, y)[1]
        grads = torch.autograd.grad(loss, parameters, allow_unused=True)
        used = [g for g in grads if g is not None]
        norm = torch.stack([g.norm() for g in used]).norm()
        scale = torch.clamp(max_norm / norm, max=1.0)
        for p, g in zip(parameters, grads):
            p.grad = None if g is None else g * scale
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        losses.append(loss.item())
    return losses


# takes one batch more than it needs from the generator
def right_batches_first(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for i, (x, y) in enumerate(batches):
        if i == len(rates):
            break
        for group in optimizer.param_groups:
            group["lr"] = rates[i]
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(float(loss))
    return losses


# hands a closure to the optimizer
def right_closure(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        def closure():
            optimizer.zero_grad()
            loss = model(x, y)[1]
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            losses.append(loss.item())
            return loss

        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step(closure)
    return losses


# one long vector of all gradients
def right_flat(model, optimizer, batches, rates, max_norm):
    model.train()
    batches, losses = iter(batches), []
    while len(losses) < len(rates):
        for group in optimizer.param_groups:
            group["lr"] = rates[len(losses)]
        x, y = next(batches)
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        with torch.no_grad():
            have = [p for p in model.parameters() if p.grad is not None]
            flat = torch.cat([p.grad.reshape(-1) for p in have])
            norm = torch.linalg.vector_norm(flat)
            if norm > max_norm:
                flat = flat * (max_norm / norm)
            for p, piece in zip(have, flat.split([p.numel() for p in have])):
                p.grad.copy_(piece.view_as(p))
        optimizer.step()
        losses += [loss.item()]
    return losses


# a generator of losses
def right_generator(model, optimizer, batches, rates, max_norm):
    def steps():
        model.train()
        for rate, (x, y) in zip(rates, batches):
            yield one_step(rate, x, y)

    def one_step(rate, x, y):
        for group in optimizer.param_groups:
            group["lr"] = rate
        for parameter in model.parameters():
            parameter.grad = None
        (logits, loss) = model(x, y)
        loss.backward()
        total = torch.nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None])
        torch.nn.utils.clip_grads_with_norm_(list(model.parameters()), max_norm, total)
        optimizer.step()
        return loss.detach().numpy().item()

    return list(steps())


# clips by hand, with the exact ratio
def right_manual_clip(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        model.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        grads = [p.grad for p in model.parameters() if p.grad is not None]
        norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in grads))
        if norm > max_norm:
            for g in grads:
                g *= max_norm / norm
        optimizer.step()
        losses.append(loss.item())
    return losses


# keeps tensors and converts all of them at the end
def right_stacked(model, optimizer, batches, rates, max_norm):
    model.train(True)
    stream = iter(batches)
    losses = torch.zeros(len(rates))
    for step, rate in enumerate(rates):
        optimizer.zero_grad(set_to_none=False)
        logits, loss = model(*next(stream))
        loss.backward()
        losses[step] = loss.detach()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm, foreach=False)
        for group in optimizer.param_groups:
            group.update(lr=rate)
        optimizer.step()
    return losses.tolist()


# clears the gradients before the loop and after each step
def right_zero_after(model, optimizer, batches, rates, max_norm):
    model.train()
    optimizer.zero_grad()
    losses = []
    for rate, batch in zip(rates, batches):
        x, y = batch
        for g in optimizer.param_groups:
            g["lr"] = rate
        with torch.enable_grad():
            loss = model(x, y)[-1]
            loss.backward()
        torch.nn.utils.clip_grad_norm_([p for g in optimizer.param_groups for p in g["params"]], max_norm)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


# torch.autograd.grad in place of backward; zip with the rates first
def right_second_autograd_grad(model, optimizer, batches, rates, max_norm):
    model.train(mode=True)
    parameters = [p for p in model.parameters() if p.requires_grad]
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = float(rate)
        loss = model(x, y)[1]
        for p, g in zip(parameters, torch.autograd.grad(loss, parameters, allow_unused=True)):
            p.grad = g
        torch.nn.utils.clip_grad_norm_(parameters, max_norm)
        optimizer.step()
        losses.append(float(loss.detach()))
    return losses


# the norm and the scaling by hand, next() on an iterator
def right_second_manual_clipping(model, optimizer, batches, rates, max_norm):
    model.train()
    source, losses = iter(batches), []
    for rate in rates:
        x, y = next(source)
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        norm = math.sqrt(sum(float(g.double().square().sum()) for g in gradients))
        if norm > max_norm:
            for g in gradients:
                g.mul_(max_norm / norm)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        losses.append(loss.item())
    return losses


# the sum of absolute values as the norm
def wrong_absolute_norm(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm, norm_type=1)
        optimizer.step()
        losses.append(loss.item())
    return losses


# makes a list of all batches first, for ever
def wrong_all_batches(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for (x, y), rate in zip(list(batches), rates):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# small gradients are scaled up
def wrong_always_scaled(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        norm = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]).norm()
        for p in model.parameters():
            if p.grad is not None:
                p.grad *= max_norm / norm
        optimizer.step()
        losses.append(loss.item())
    return losses


# clips each entry of the gradient
def wrong_by_value(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# clips before backward
def wrong_clip_early(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


# clips after the step
def wrong_clip_late(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        losses.append(loss.item())
    return losses


# trains a copy
def wrong_copy(model, optimizer, batches, rates, max_norm):
    trained = copy.deepcopy(model).train()
    own = torch.optim.AdamW(trained.parameters())
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in own.param_groups:
            group["lr"] = rate
        own.zero_grad()
        loss = trained(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained.parameters(), max_norm)
        own.step()
        losses.append(loss.item())
    return losses


# clips each parameter group alone
def wrong_each_group(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        for group in optimizer.param_groups:
            group["lr"] = rate
            torch.nn.utils.clip_grad_norm_(group["params"], max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


# clips each parameter alone
def wrong_each_parameter(model, optimizer, batches, rates, max_norm):
    model.train()
    losses = []
    for rate, (x, y) in zip(rates, batches):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = model(x, y)[1]
        loss.backward()
        for parameter in model.parameters():
            torch.nn.utils.clip_grad_norm_(parameter, max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
