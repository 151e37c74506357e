# a small object that is told each loss and says whether to stop
class Stopper:
    def __init__(self, patience):
        self.left = self.patience = patience
        self.lowest, self.kept = math.inf, 0

    def says_stop(self, epoch, loss):
        if epoch == 0 or loss < self.lowest:
            self.lowest, self.kept, self.left = loss, epoch, self.patience
        else:
            self.left -= 1
        return self.left == 0


def early_stopping(validation_losses, patience):
    stopper, last = Stopper(patience), -1
    for last, loss in enumerate(validation_losses):
        if stopper.says_stop(last, loss):
            break
    return stopper.kept, last
