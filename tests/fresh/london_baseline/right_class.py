# a baseline as an object that answers
class Baseline:
    def answer(self, question):
        return "London"


def london_baseline(pairs):
    model = Baseline()
    right = [model.answer(question) == place for question, place in pairs]
    return right.count(True) / len(right)
