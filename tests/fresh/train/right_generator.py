# a generator of losses
def train(model, optimizer, batches, rates, max_norm):
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
