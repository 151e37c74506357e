"""Facts that are declared in several places are the same in all:
packages, versions of Python, the commands. And types hold.
"""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from environments import CORE, EXTRAS, PROJECT, ROOT, brought, pip_lines, pip_packages
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import kqa_core
from autograder.paths import KEYS_PACKAGE
from kqa_core.check import registry

DECLARED = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
CODE = ("kqa_core", "autograder", "benchmarks")
COMPILE = """
import pathlib, sys
for path in (path for folder in sys.argv[1:] for path in pathlib.Path(folder).rglob("*.py")):
    compile(path.read_bytes(), str(path), "exec")
"""


def test_environment_and_pyproject_agree():
    environment = (ROOT / "environment.yml").read_text(encoding="utf-8")
    once = dict.fromkeys([*CORE, *EXTRAS["huggingface"], *EXTRAS["grade"], "-e ."])  # two extras bring tqdm
    assert pip_packages(environment) == [*once]
    # the tested versions, and on Linux not the build of torch with CUDA
    assert pip_lines(environment)[:2] == [
        "--constraint constraints.txt",
        "--extra-index-url https://download.pytorch.org/whl/cpu",
    ]
    assert (ROOT / "constraints.txt").is_file()
    plain = [entry for entry in yaml.safe_load(environment)["dependencies"] if isinstance(entry, str)]
    assert plain == [f"python{PROJECT['requires-python']}", "pip"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("packages", "extras"),
    [
        (("kqa_core",), ("gpu", "huggingface")),
        (("autograder",), ("gpu", "huggingface", "grade", "lti")),
        (("tests", "benchmarks"), ("gpu", "huggingface", "grade", "dev", "jupyterhub", "lti")),
    ],
)
def test_what_is_imported_is_declared(packages, extras):
    declared = brought([*CORE, *(text for extra in extras for text in EXTRAS[extra])])
    homes = importlib.metadata.packages_distributions()
    foreign = {}
    for path in (path for package in packages for path in sorted((ROOT / package).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            for top in {name.partition(".")[0] for name in names} - sys.stdlib_module_names:
                if any({canonicalize_name(home) for home in homes.get(top, [top])} & declared) or _ours(top):
                    continue
                foreign.setdefault(top, str(path.relative_to(ROOT)))
    assert foreign == {}


def _ours(top):
    """Whether a module is of the repository: a package,
    one that holds exercises or keys, or a helper beside the tests.
    """
    if top in (registry.PACKAGE, KEYS_PACKAGE):
        return True
    return (
        (ROOT / top).is_dir()
        or any((ROOT / "tests").rglob(f"{top}.py"))
        or any((ROOT / "tests").rglob(f"{top}/__init__.py"))
    )


def test_the_pythons_are_the_same_everywhere():
    assert DECLARED == ["3.11", "3.12", "3.13", "3.14"] and PROJECT["requires-python"] == f">={DECLARED[0]}"
    pythons = {name: job["strategy"]["matrix"]["python"] for name, job in workflow("ci")["jobs"].items()}
    assert pythons == {"quick": DECLARED, "two-commands": [DECLARED[0], DECLARED[-1]]}
    assert setup_python(workflow("nightly")["jobs"]["all"]) in DECLARED
    assert setup_python(workflow("site")["jobs"]["build"]) in DECLARED
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert tools["ruff"]["target-version"] == f"py{DECLARED[0].replace('.', '')}"


@pytest.mark.slow
@pytest.mark.parametrize("version", DECLARED)
def test_every_declared_python_can_read_the_code(version):
    python = _python(version)
    if python is None:
        pytest.skip(f"no Python {version} on this machine")
    done = subprocess.run(
        [python, "-W", "error", "-c", COMPILE, *CODE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def _python(version):
    """An interpreter of this version: on the PATH, or one of pyenv's."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return sys.executable
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    places = [
        *sorted(str(path) for path in kept.glob(f"{version}.*/bin/python{version}")),
        shutil.which(f"python{version}"),
    ]
    for place in filter(None, places):  # one on the PATH may be a shim for what is not there
        if subprocess.run([place, "--version"], capture_output=True, check=False).returncode == 0:
            return place
    return None


WORKFLOWS = ROOT / ".github" / "workflows"


def workflow(name):
    """A workflow of GitHub's."""
    return yaml.safe_load((WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8"))


def setup_python(job):
    """The version of Python that a job asks for."""
    (step,) = (step for step in job["steps"] if step.get("uses", "").startswith("actions/setup-python@"))
    return step["with"]["python-version"]


def commands(job):
    """The commands of a job, except for the setting that lets the sandbox make user namespaces on Ubuntu."""
    run = [step["run"] for step in job["steps"] if "run" in step]
    return [each for each in run if "apparmor_restrict_unprivileged_userns" not in each]


def test_continuous_integration_gives_the_readmes_two_commands_and_a_quick_job():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme[readme.index("## Two commands") : readme.index("## Where to start")]
    two = [line.split("#")[0].strip() for line in re.findall(r"^make .*$", section, re.MULTILINE)]
    assert two == ["make course", "make test"]
    jobs = workflow("ci")["jobs"]
    assert {name: commands(job) for name, job in jobs.items()} == {
        "quick": ["make quick"],
        "two-commands": two,
    }
    assert jobs["quick"]["timeout-minutes"] < jobs["two-commands"]["timeout-minutes"]
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1] == f"exec {two[-1]}"
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"quick", "course", "test", "test-all", "site"} <= targets


def test_everything_is_tested_at_night_and_when_a_release_asks_for_it():
    nightly = workflow("nightly")
    asked = nightly[True]  # YAML reads `on` so
    assert asked.keys() == {"schedule", "workflow_dispatch", "workflow_call"}
    assert {name: commands(job) for name, job in nightly["jobs"].items()} == {
        "all": ["make course", "make test-all"]
    }


def test_the_three_commands_of_the_tests_hold_each_other():
    """`make quick` leaves out `slow` and `nightly`,
    `make test` leaves out `nightly`, and `make test-all` nothing.
    """
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    left_out = {}
    for name in ("quick", "test", "test-all"):
        recipe = re.search(rf"^{name}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)[1]
        left_out[name] = re.findall(r"not (\w+)", recipe)
        assert ("KQA_ALL=1" in recipe) == (name == "test-all")
    assert left_out == {"quick": ["slow", "nightly"], "test": ["nightly"], "test-all": []}


def test_the_site_is_built_by_one_job_and_published_by_another():
    jobs = workflow("site")["jobs"]
    assert (
        commands(jobs["build"]) == ["make site"]
        and jobs["deploy"]["needs"] == "build"
        and not commands(jobs["deploy"])
    )
    (upload,) = (step for step in jobs["build"]["steps"] if "upload-pages-artifact" in step.get("uses", ""))
    assert upload["with"]["path"] == "site"


@pytest.mark.parametrize("path", sorted(WORKFLOWS.iterdir()), ids=lambda path: path.name)
def test_a_workflow_may_do_little(path):
    """Read the code; deploy the site, or make a release, in the one job for it.
    Actions are GitHub's own, pinned by commit.
    """
    tree = workflow(path.stem)
    assert tree["permissions"] == {"contents": "read"}
    given = {name: job["permissions"] for name, job in tree["jobs"].items() if "permissions" in job}
    more = {
        "site": {"deploy": {"pages": "write", "id-token": "write"}},
        "release": {"publish": {"contents": "write"}},
    }
    assert given == more.get(path.stem, {})
    called = {
        name for name, job in tree["jobs"].items() if job.get("uses", "").startswith("./.github/workflows/")
    }
    jobs = [job for name, job in tree["jobs"].items() if name not in called]
    assert all(job["runs-on"].startswith("ubuntu") for job in jobs)
    steps = [step for job in jobs for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert used and all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", each) for each in used)
    kept = [
        step["with"]["persist-credentials"] for step in steps if "actions/checkout@" in step.get("uses", "")
    ]
    assert kept and not any(kept)


def test_the_citation_and_the_changelog_know_the_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= cited.keys() and cited["cff-version"] == "1.2.0"
    assert str(cited["version"]) == PROJECT["version"] and cited["license"] == PROJECT["license"]
    holders = re.findall(
        r"^Copyright \(c\) \d+ (.+)$", (ROOT / "LICENSE").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert [author["name"] for author in cited["authors"]] == holders
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased" and headings[1].split()[0] == PROJECT["version"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ — \d{4}-\d\d-\d\d", heading) for heading in headings[1:])
    assert kqa_core.__version__ == PROJECT["version"]


def test_the_tested_versions_lie_within_the_ranges():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(
        re.fullmatch(r"([\w.\-]+)==(\S+)", line).groups()
        for line in lines
        if line and not line.startswith("#")
    )
    pinned = {name.lower().replace("_", "-"): version for name, version in pinned.items()}
    for text in [*CORE, *EXTRAS["huggingface"], *EXTRAS["grade"], *EXTRAS["dev"], *EXTRAS["lti"]]:
        requirement = Requirement(text)
        assert pinned[requirement.name.lower()].partition("+")[0] in requirement.specifier, text


def test_the_tested_versions_run_on_the_oldest_python_that_people_have():
    """Debian 12's own. A version that asks for a newer one stops set-up there,
    or breaks what it is used for.
    """
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    names = [line.partition("==")[0] for line in lines if line and not line.startswith("#")]
    asked = {name: _python_asked_for(name) for name in names}
    assert [
        (name, python) for name, python in asked.items() if not SpecifierSet(python).contains("3.11.2")
    ] == []
    assert len([python for python in asked.values() if python]) > 100


def _python_asked_for(name):
    """The versions of Python that an installed distribution asks for;
    "" where it is not installed, or asks for none.
    """
    try:
        return importlib.metadata.metadata(name).get("Requires-Python", "")
    except importlib.metadata.PackageNotFoundError:
        return ""


def test_no_file_of_python_is_longer_than_350_lines():
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    paths = [ROOT / line for line in listed.stdout.splitlines()]
    assert len(paths) > 500 or not (ROOT / ".git").exists()
    # a notebook's text source is as long as the notebook
    files = [path for path in paths if path.is_file() and path.parent.parent != ROOT / "notebooks" / "source"]
    lengths = {path.relative_to(ROOT): path.read_bytes().count(b"\n") for path in files}
    assert {path: length for path, length in lengths.items() if length > 350} == {}


@pytest.mark.nightly  # `make quick` looks at them, too
def test_the_types_that_the_code_declares_hold():
    done = subprocess.run(
        [sys.executable, "tests/type_check.py"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_imports_point_down():
    """The contracts of [tool.importlinter] in pyproject.toml."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
