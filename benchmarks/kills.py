"""200 submissions, 20 kills at random moments, and the gradebook of an undisturbed run. Run: kqa bench kills

- The sample class's hand-ins in turns, graded once without kills and once with them. Each kill -9 strikes the
  coordinator, a worker or a fork server, drawn from a fixed seed. After a kill of the coordinator the same
  command is given again.
- Lost: students without a final result. Double: students with more than one row of a score, or more than one
  result. Equal: the scores in the gradebook, and the kept results.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from benchmarks._graded import finish, new_course, results, scores, show_differences, start, write_students

STUDENTS, KILLS, SEED = 200, 20, 20
KINDS = {"worker": "autograder.grading.worker", "fork server": "autograder.runner.fork_server"}


def main() -> None:
    """Grade twice, and compare."""
    with tempfile.TemporaryDirectory(prefix="kqa-kills-") as root:
        folder = write_students(Path(root, "submitted"), STUDENTS)
        calm, disturbed = new_course(Path(root, "calm")), new_course(Path(root, "disturbed"))
        begin = time.monotonic()
        finish(start(folder, calm))
        seconds = time.monotonic() - begin
        killed, told = disturb(folder, disturbed, KILLS, seconds)
        final = Counter(line.split()[0] for line in told)
        rows = Counter((row[0], row[1]) for row in scores(disturbed))
        lost = STUDENTS - len(final)
        double = sum(number > 1 for number in (*final.values(), *rows.values()))
        show_differences(calm, disturbed)
        equal = scores(calm) == scores(disturbed) and results(calm) == results(disturbed)
    print("kills:", ", ".join(f"{number} of a {kind}" for kind, number in sorted(killed.items())))
    figures = {"students": STUDENTS, "kills": dict(killed), "lost": lost, "double": double, "equal": equal}
    headline = (
        f"{STUDENTS} final after {sum(killed.values())} kills, {lost} lost, {double} double, gradebook equal:"
        f" {equal}"
    )
    report(
        "kills",
        figures,
        headline,
        "200 final, 20 kills, 0 lost, 0 double, equal",
        not lost and not double and equal,
    )
    if lost or double or not equal:
        raise SystemExit(1)


def disturb(folder: Path, course: Path, kills: int, seconds: float) -> tuple[Counter[str], list[str]]:
    """Grade with so many kills; what was killed, and the lines of the run that ended."""
    rng, killed = random.Random(SEED), Counter[str]()
    while True:
        process = start(folder, course)
        lines: list[str] = []
        reader = threading.Thread(target=lambda out=process.stdout, to=lines: to.extend(out))
        reader.start()
        while process.poll() is None and sum(killed.values()) < kills:
            time.sleep(rng.uniform(0.2, seconds / 8))
            kind = rng.choice(("coordinator", *KINDS))
            if kill(process.pid, kind, rng):
                killed[kind] += 1
        said = process.stderr.read() if process.stderr else ""
        code = process.wait()
        reader.join()
        if code == 0 and sum(killed.values()) >= kills:
            return killed, lines
        if code == 0:  # it ended before the last kill: begin a regrade of everything, and go on
            (course / "judged" / "ledger.db").unlink()
        # 1: hand-ins whose worker was killed twice are listed, and judged the next time
        elif code not in (-9, 1):
            raise SystemExit(f"the grading run ended with {code}: {said}")


def kill(coordinator: int, kind: str, rng: random.Random) -> bool:
    """Kill one process of that kind; whether there was one."""
    try:
        process = psutil.Process(coordinator)
        if kind != "coordinator":
            below = process.children(recursive=True)
            process = rng.choice(
                [each for each in below if any(KINDS[kind] in part for part in each.cmdline())]
            )
        process.kill()
    except (psutil.Error, IndexError):
        return False
    return True


if __name__ == "__main__":
    main()
