# one long vector of all gradients
def train(model, optimizer, batches, rates, max_norm):
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
