"""Workers on Slurm and Kubernetes: the job's script as dask-jobqueue renders it, and the manifests, read and
not run.
"""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest
import yaml
from environments import ROOT
from test_images import unknown

FOLDER = ROOT / "deploy" / "dask"
CONTAINER = {
    **dict.fromkeys(("name", "image", "args", "env", "ports"), ""),
    "resources": {"requests": {"cpu": "", "memory": ""}, "limits": {"cpu": "", "memory": ""}},
    "securityContext": {"runAsNonRoot": "", "runAsUser": ""},
    **{
        key: {"httpGet": {}, "initialDelaySeconds": "", "periodSeconds": ""}
        for key in ("readinessProbe", "livenessProbe")
    },
}
POD = {"containers": "", "automountServiceAccountToken": ""}
HEAD = {"apiVersion": "", "kind": "", "metadata": {"name": ""}}
# as the custom resources of dask-kubernetes 2026.3.0 say, against whose schemas the file was checked once,
# and Kubernetes's own
KNOWN = {
    "DaskCluster": {
        "idleTimeout": "",
        "worker": {"replicas": "", "spec": POD},
        "scheduler": {"spec": POD, "service": {"type": "", "selector": {}, "ports": ""}},
    },
    "DaskAutoscaler": {"cluster": "", "minimum": "", "maximum": ""},
    "NetworkPolicy": {"podSelector": {}, "policyTypes": "", "ingress": ""},
}


@pytest.fixture(scope="module")
def script():
    """What Slurm would get."""
    shown = [sys.executable, str(FOLDER / "slurm.py"), "--show"]
    return subprocess.run(shown, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def arguments(words):
    """The options of a `dask worker`, as distributed itself reads them."""
    from distributed.cli.dask_worker import main

    return main.make_context("dask worker", list(words)).params


def test_the_job_asks_slurm_for_what_the_settings_say(script):
    asked = [line.removeprefix("#SBATCH ") for line in script.splitlines() if line.startswith("#SBATCH ")]
    assert {"-J kqa-judge", "-p normal", "-n 1", "--cpus-per-task=16", "-t 02:00:00", "--requeue"} <= set(
        asked
    )


def test_the_jobs_worker_has_a_thread_for_each_core_and_leaves_before_the_job_ends(script):
    (command,) = (line for line in script.splitlines() if "dask_worker" in line)
    python, *words = shlex.split(command)
    assert python == sys.executable and words[:2] == ["-m", "distributed.cli.dask_worker"]
    found = arguments(words[2:])
    assert (found["nthreads"], found["memory_limit"], found["lifetime"]) == (16, "0", "110m")


@pytest.fixture(scope="module")
def manifests():
    return {
        each["kind"]: each
        for each in yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text(encoding="utf-8"))
    }


def test_the_manifests_have_keys_that_kubernetes_and_the_operator_know(manifests):
    assert set(manifests) == set(KNOWN)
    for kind, spec in KNOWN.items():
        assert list(unknown(manifests[kind], {**HEAD, "spec": spec})) == []
    for part in ("worker", "scheduler"):
        (container,) = manifests["DaskCluster"]["spec"][part]["spec"]["containers"]
        assert list(unknown(container, CONTAINER)) == []
    assert list(unknown({"spec": {"worker": {"replica": 1}}}, {"spec": KNOWN["DaskCluster"]})) == [
        "spec.worker.replica"
    ]


def test_the_pods_run_the_graders_image_and_find_its_course(manifests):
    image = (ROOT / "deploy" / "images" / "grader.Dockerfile").read_text(encoding="utf-8")
    assert (
        "WORKDIR /opt/kqa\nCOPY . .\n" in image
        and ".[grade," in image
        and "bubblewrap" in image
        and "--uid 1000" in image
    )
    spec = manifests["DaskCluster"]["spec"]
    for part in ("worker", "scheduler"):
        (container,) = spec[part]["spec"]["containers"]
        assert container["image"].startswith("registry.EXAMPLE.org/kqa-grader:")
        assert {"name": "KQA_COURSE", "value": "/opt/kqa/notebooks"} in container["env"]
    (worker,) = spec["worker"]["spec"]["containers"]
    assert worker["args"][:2] == ["dask", "worker"]
    found = arguments([*worker["args"][2:], "tcp://scheduler:8786"])
    assert str(found["nthreads"]) == worker["resources"]["limits"]["cpu"] and found["memory_limit"] == "0"


def test_only_the_clusters_pods_and_those_that_grade_reach_the_scheduler(manifests):
    name = {"dask.org/cluster-name": manifests["DaskCluster"]["metadata"]["name"]}
    policy, service = (
        manifests["NetworkPolicy"]["spec"],
        manifests["DaskCluster"]["spec"]["scheduler"]["service"],
    )
    assert policy["podSelector"] == {"matchLabels": name} and policy["policyTypes"] == ["Ingress"]
    assert [
        each for rule in policy["ingress"] for each in rule["from"] if each.get("podSelector", {"x": 0}) == {}
    ] == []
    assert service["type"] == "ClusterIP" and name.items() <= service["selector"].items()
    assert manifests["DaskAutoscaler"]["spec"]["cluster"] == manifests["DaskCluster"]["metadata"]["name"]
