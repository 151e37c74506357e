"""One worker, two workers and three Dask processes give the same gradebook. Run: kqa bench farms

The sample class's hand-ins in turns, graded three times under one course key. These must be equal: every
score in the gradebook, and the kept results with sentences, mistakes and notes.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import distributed

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from benchmarks._graded import finish, new_course, results, scores, show_differences, start, write_students

STUDENTS = 44


def main() -> None:
    """Grade three times, and compare."""
    figures: dict[str, object] = {"students": STUDENTS}
    left = []
    with tempfile.TemporaryDirectory(prefix="kqa-farms-") as root:
        folder = write_students(Path(root, "submitted"), STUDENTS)
        with distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster:
            for name, workers, scheduler in (
                ("1 worker", 1, ""),
                ("2 workers", 2, ""),
                ("cluster", 0, cluster.scheduler_address),
            ):
                course = new_course(Path(root, name.replace(" ", "_")))
                begin = time.monotonic()
                finish(start(folder, course, workers, scheduler))
                figures[name] = round(time.monotonic() - begin, 1)
                print(f"{name}: {STUDENTS} hand-ins in {figures[name]} s, {len(scores(course))} scores")
                left.append((scores(course), results(course)))
        for name in ("2 workers", "cluster"):
            show_differences(Path(root, "1_worker"), Path(root, name.replace(" ", "_")))
    equal = left[0] == left[1] == left[2] and bool(left[0][0])
    report("farms", figures | {"equal": equal}, f"gradebooks and results equal: {equal}", "identical", equal)
    if not equal:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
