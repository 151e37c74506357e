# recursion instead of a loop
def early_stopping(validation_losses, patience):
    def walk(best, e):
        if e - best == patience or e == len(validation_losses) - 1:
            return best, e
        return walk(e + 1 if validation_losses[e + 1] < validation_losses[best] else best, e + 1)

    return walk(0, 0)
