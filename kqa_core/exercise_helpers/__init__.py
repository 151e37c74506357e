"""Helpers for this course's checks that several notebooks share: tensors that show mistakes, made-up people,
sentences that name a mistake. Small models are in `kqa_core.experiments.small_models`.

- They belong to the course, not to the engine behind `check()`, which knows nothing of attention. What every
  course can use (arguments that were changed, an answer that is right only sometimes, reading a number) is in
  `kqa_core.check.helpers`.
- They are in the course's library and not beside an exercise, because a released assignment holds the files
  of its own notebook only. It must stay complete when it is fetched alone.
- Helpers for one notebook are in its own `exercises` folder, in a file whose name begins with an underscore.
"""
