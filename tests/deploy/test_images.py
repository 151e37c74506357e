"""The Dockerfiles and the values for Kubernetes, read and not run:
what may reach an image, and which keys the charts have;
and nbgrader in an environment without the grader, as a JupyterHub's own is: it reads a course's settings.
"""

from __future__ import annotations

import ast
import fnmatch
import json
import re
import runpy
import shutil
import subprocess
import zipfile

import pytest
import yaml
from environments import CORE, EXTRAS, ROOT, brought, environment_with, run
from packaging.utils import canonicalize_name
from traitlets.utils.importstring import import_item

from autograder.build.bundle import build_wheel

NAME = "01_attention_as_a_lookup"
CONFIGS = {"kqa": "notebooks/nbgrader_config.py", "sorting": "autograder/course/template/nbgrader_config.py"}
READ = """
from nbgrader.apps import NbGrader
app = NbGrader()  # as formgrader reads them
app.load_config_file()
print(app.config.CourseDirectory.course_id)
"""
IMAGES, KUBERNETES = ROOT / "deploy" / "images", ROOT / "deploy" / "kubernetes"
# of the charts' values: {} is a place in which anything may stand
HUB = {
    "hub": {"extraConfig": {}, "config": {}},
    "singleuser": {
        "image": {"name": "", "tag": ""},
        "defaultUrl": "",
        "extraEnv": {},
        "memory": {"guarantee": "", "limit": ""},
        "cpu": {"limit": ""},
        "storage": {"capacity": ""},
        "cloudMetadata": {"blockWithIptables": ""},
    },
    "cull": {"enabled": "", "timeout": ""},
}
NGSHARE = {
    "ngshare": {"hub_api_token": "", "admins": ""},
    "pvc": {"storage": ""},
    "deployment": {"resources": {}},
}


def copied(name):
    """The files that a Dockerfile copies from the clone."""
    text = (IMAGES / name).read_text(encoding="utf-8")
    return [
        source
        for line in re.findall(r"^(?:COPY|ADD) (.+)$", text, re.MULTILINE)
        for source in line.split()[:-1]
    ]


def admitted(path):
    """Whether .dockerignore lets this path of the clone reach the students' image."""
    lines = (IMAGES / "student.Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*" and all(rule.startswith("!") for rule in rules[1:])
    return any(fnmatch.fnmatch(path, rule[1:]) for rule in rules[1:])


@pytest.mark.slow
def test_the_students_image_gets_the_wheel_and_nothing_of_the_judge(tmp_path):
    assert copied("student.Dockerfile") == [
        "constraints.txt",
        "deploy/locked/student.txt",
        "dist/wheel/",
        "deploy/images/nbgrader_config.py",
        "deploy/one_machine/etc/student/",
    ]
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    reach = [path for path in listed if admitted(path)]
    assert [path for path in reach if path.startswith(("autograder", "notebooks", "tests", "data"))] == []
    assert "constraints.txt" in reach and "deploy/images/nbgrader_config.py" in reach
    wheel = build_wheel(tmp_path)
    assert admitted(f"dist/wheel/{wheel.name}") and not admitted("dist/keys-queries-attention.zip")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert any(name.startswith("kqa_core/data/checkpoints/") for name in names)
    assert [name for name in names if "autograder" in name or "/keys/" in name] == []


def in_the_graders_image(path):
    """Whether a path of the clone reaches the graders' image:
    the last rule that matches it, or a folder above it, decides.
    """
    lines = (IMAGES / "grader.Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    parts = path.split("/")
    above = ["/".join(parts[:number]) for number in range(1, len(parts) + 1)]
    admitted = True
    for rule in (line for line in lines if line and not line.startswith("#")):
        pattern = rule.removeprefix("!")
        anywhere = pattern.removeprefix("**/") if pattern.startswith("**/") else None
        names = parts if anywhere is not None else above
        # a star stands for no slash: the depths are compared first
        if any(
            fnmatch.fnmatchcase(name, anywhere or pattern)
            and name.count("/") == (anywhere or pattern).count("/")
            for name in names
        ):
            admitted = rule.startswith("!")
    return admitted


def test_the_graders_image_has_one_list_with_git():
    path = IMAGES / "make_ignore.py"
    script = runpy.run_path(str(path))
    assert script["TARGET"].read_text(encoding="utf-8") == script["text"](), f"run python {path}"


@pytest.mark.slow
def test_the_graders_image_gets_all_that_git_tracks():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert [path for path in listed if not in_the_graders_image(path)] == []


@pytest.mark.parametrize(
    "path",
    [
        *("class.tar.gz", "before_upgrade.tar.gz", "notebooks/class.tar.gz", "data/class_week4.tar.gz"),
        *("roster.csv", "marks.csv", "04_attention_ann.json", "leaked_course_key", "moved/ada/01.ipynb"),
        *("mail/ada/x", "notebooks/.course_key", "notebooks/.course_key.old", "notebooks/gradebook.db-wal"),
        *(
            "notebooks/received/manifest.jsonl",
            "notebooks/submitted/ada/x.ipynb",
            "notebooks/people/roster.csv",
        ),
        *("notebooks/judged/ledger.db", "notebooks/kqa.log.1", "notebooks/what_somebody_put_here.zip"),
        *(
            "exports/grades.xlsx",
            "old_class",
            "my_course/.course_key",
            ".git/config",
            ".hub/state/x",
            "id_rsa",
        ),
    ],
)
def test_the_graders_image_gets_nothing_that_a_class_or_a_person_has_left(path):
    assert not in_the_graders_image(path)


@pytest.mark.parametrize("name", ["student.Dockerfile", "grader.Dockerfile"])
def test_what_an_image_copies_is_there(name):
    assert [
        source for source in copied(name) if source != "dist/wheel/" and not (ROOT / source).exists()
    ] == []


LOCKED = {  # what each list of digests in deploy/locked must bring
    "grader.txt": [
        *CORE,
        *EXTRAS["grade"],
        *EXTRAS["huggingface"],
        *EXTRAS["jupyterhub"],
        *EXTRAS["lti"],
        "editables",
        "nbgitpuller",
    ],
    "student.txt": [*CORE, *EXTRAS["huggingface"], "jupyterhub", "nbgitpuller", "ngshare-exchange"],
    "hub.txt": ["jupyterhub", "jupyterhub-ltiauthenticator"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LOCKED)
def test_a_list_of_digests_holds_all_that_is_needed_in_the_tested_versions(name):
    text = (ROOT / "deploy" / "locked" / name).read_text(encoding="utf-8")
    blocks = re.findall(
        r"^([\w.-]+)==(\S+)[^\n]*\\\n((?: +--hash=sha256:[0-9a-f]{64}.*\n)+)", text, re.MULTILINE
    )
    assert len(blocks) == len(re.findall(r"^\w", text, re.MULTILINE)), "each package has digests"
    locked = {canonicalize_name(package): version for package, version, _ in blocks}
    # torch's CPU build needs none of these, and torch itself has a line that applies nowhere
    cuda = ("nvidia-", "cuda-", "triton")
    needed = {package for package in brought(LOCKED[name]) if not package.startswith(cuda)}
    assert needed - locked.keys() == set(), "run deploy/locked/make and commit what it changed"
    tested = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
    tested = {canonicalize_name(package): version for package, version in tested.items()}
    others = {package for package in locked.keys() & tested if locked[package] != tested[package]}
    assert others == set(), "run deploy/locked/make and commit what it changed"


@pytest.mark.parametrize("name", ["student.Dockerfile", "grader.Dockerfile"])
def test_an_image_installs_only_files_with_known_digests_and_torch(name):
    text = (IMAGES / name).read_text(encoding="utf-8").replace("\\\n", " ")
    commands = re.findall(r"pip install ([^&\n]+)", text)
    assert len(commands) == 3 and all("--no-deps" in command for command in commands)
    locked, torch, ours = commands
    assert "--require-hashes" in locked and "--only-binary=:all:" in locked
    assert "--index-url" in torch and "^torch==" in torch and "--extra-index-url" not in text
    assert ours.split()[-1] in (".", "/tmp/wheel/*.whl")


def test_the_hubs_proxy_has_the_integrity_of_each_package():
    folder = ROOT / "deploy" / "one_machine" / "proxy"
    asked = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
    top, *packages = lock["packages"].values()
    assert top["dependencies"] == asked and len(packages) > 20
    (install,) = re.findall(r"npm .*ci .*", (folder.parent / "set-up").read_text(encoding="utf-8"))
    assert "--ignore-scripts" in install, "a package's scripts run as root"
    assert [entry for entry in packages if not entry["integrity"].startswith("sha512-")] == []


@pytest.mark.parametrize(("name", "known"), [("hub.yaml", HUB), ("lti.yaml", HUB), ("ngshare.yaml", NGSHARE)])
def test_the_values_have_keys_that_the_charts_know(name, known):
    values = yaml.safe_load((KUBERNETES / name).read_text(encoding="utf-8"))
    assert list(unknown(values, known)) == []
    assert list(unknown({"hub": 1, "singeluser": {}}, known)) != []


def test_a_cluster_lets_nobody_in_before_somebody_has_chosen_who():
    """Filled in or not, the values start no hub that anybody can enter."""
    text = (KUBERNETES / "hub.yaml").read_text(encoding="utf-8")
    for values in (text, text.replace("EXAMPLE", "ours")):
        config = yaml.safe_load(values)["hub"]["config"]
        chosen = config["JupyterHub"]["authenticator_class"]
        assert chosen not in ("dummy", "null", "shared-password", "pam")
        with pytest.raises((ImportError, ValueError)):
            import_item(chosen)
        assert config["Authenticator"]["allow_all"] is False


def unknown(values, known, path=""):
    for key, value in values.items():
        if key not in known:
            yield f"{path}{key}"
        elif isinstance(known[key], dict) and known[key]:
            yield from (
                unknown(value, known[key], f"{path}{key}.") if isinstance(value, dict) else [f"{path}{key}"]
            )


def test_the_hub_and_ngshare_have_one_token_and_the_hubs_code_is_python():
    hub = yaml.safe_load((KUBERNETES / "hub.yaml").read_text(encoding="utf-8"))
    for code in hub["hub"]["extraConfig"].values():
        ast.parse(code)
    token = yaml.safe_load((KUBERNETES / "ngshare.yaml").read_text(encoding="utf-8"))["ngshare"][
        "hub_api_token"
    ]
    assert json.dumps(token) in hub["hub"]["extraConfig"]["ngshare.py"]


def test_the_cluster_recognises_people_by_the_same_function_as_one_machine():
    config = ROOT / "deploy" / "one_machine" / "etc" / "lti_config.py"
    values = yaml.safe_load((KUBERNETES / "lti.yaml").read_text(encoding="utf-8"))["hub"]
    ours, theirs = (
        {each.name: ast.dump(each) for each in ast.parse(code).body if isinstance(each, ast.FunctionDef)}
        for code in (config.read_text(encoding="utf-8"), values["extraConfig"]["lti.py"])
    )
    assert list(theirs) == ["recognise"] and ours["recognise"] == theirs["recognise"]
    settings = set(re.findall(r"c\.LTI13Authenticator\.(\w+) =", config.read_text(encoding="utf-8")))
    assert settings - {"post_auth_hook", "blocked_users"} == set(values["config"]["LTI13Authenticator"])


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The Python of an environment with nbgrader and without the grader."""
    return environment_with(["nbgrader"], tmp_path_factory.mktemp("hub"))


@pytest.mark.slow
@pytest.mark.parametrize(("course", "config"), CONFIGS.items(), ids=CONFIGS)
def test_nbgrader_reads_the_settings_and_stops_before_it_writes_what_needs_the_grader(
    python, course, config, tmp_path
):
    shutil.copy(ROOT / config, tmp_path)
    shutil.copytree(ROOT / "notebooks" / "source" / NAME, tmp_path / "source" / NAME)
    read = run(python, "-c", READ, cwd=tmp_path)
    assert (read.returncode, read.stdout.strip()) == (0, course), read.stderr
    made = run(python, "-m", "nbgrader", "generate_assignment", NAME, cwd=tmp_path)
    assert made.returncode != 0 and "No module named 'autograder'" in made.stderr
    assert not list(tmp_path.glob("release/**/*.ipynb"))
