"""Workers on Slurm for `kqa course grade --scheduler ADDRESS`, with dask-jobqueue. Keep it running in a
terminal of a login node:

    .venv/bin/pip install dask-jobqueue -c constraints.txt
    .venv/bin/python deploy/dask/slurm.py

It prints the scheduler's address. Ctrl-C ends the jobs. `--show` prints the script of a job and starts
nothing.
"""

from __future__ import annotations

import sys
import time
from typing import Any

JOBS = 4  # at most, at the same time
SETTINGS: dict[str, Any] = {
    "queue": "normal",  # the partition: `sinfo` lists yours
    "cores": 16,
    "processes": 1,  # one Dask worker a job; each of its threads has a checker of its own
    "memory": "48GB",  # 3 GB for each core
    "walltime": "02:00:00",
    "python": sys.executable,  # the course's own environment, on a disk that the nodes see
    # such as "ib0": the network that login node and nodes share, which nobody else reaches
    "interface": None,
    # a worker leaves before its job ends, so its submissions go to another; Dask's own limit would count the
    # worker alone
    "worker_extra_args": ["--memory-limit", "0", "--lifetime", "110m", "--lifetime-stagger", "5m"],
    "job_name": "kqa-judge",
    "job_extra_directives": ["--requeue"],
}


def main(show: bool) -> None:
    """Start the cluster and wait, or show a job's script."""
    from dask_jobqueue import SLURMCluster
    from dask_jobqueue.slurm import SLURMJob

    if show:
        print(SLURMJob("tcp://SCHEDULER:8786", "kqa", **SETTINGS).job_script())
        return
    cluster = SLURMCluster(**SETTINGS, scheduler_options={"dashboard_address": None})
    cluster.adapt(minimum_jobs=0, maximum_jobs=JOBS)
    print(cluster.scheduler_address, flush=True)
    try:
        while True:
            time.sleep(60)
    except KeyboardInterrupt:
        cluster.close()


if __name__ == "__main__":
    main("--show" in sys.argv[1:])
