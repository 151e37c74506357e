"""JupyterHub on one machine, for people who have accounts on it: they log in with their password there (PAM).

- With a table [lti] in settings.toml, they come from a learning platform instead (lti_config.py).
- A student's server runs in the students' environment, which holds no answer key. It starts in the student's
  home.
- An instructor's server runs in the clone's environment. Its files and its terminals begin in the clone,
  where the report is, as docs/ supposes; for a course outside the clone, in the course's folder. Formgrader
  asks that the course is below.
- Both read nbgrader's settings from this folder, so that they have the same exchange.
- Their terminals are no login shells (jupyter_server_config.json): on Debian, those forget PATH, and with it
  `nbgrader`.
"""

import tomllib
from pathlib import Path

here = Path(__file__).resolve().parent
place = here.parent
settings = tomllib.loads((here / "settings.toml").read_text(encoding="utf-8"))
instructors = set(settings["instructors"])


def own_environment(spawner):
    """Choose the environment, the folder and nbgrader's settings for the person whose server starts."""
    teaches = spawner.user.name in instructors or "instructors" in {
        group.name for group in spawner.user.groups
    }
    programs = Path(settings["environment"] if teaches else place / "student") / "bin"
    configs = [here, settings["course"]] if teaches else [here / "student", here]
    own = (
        {"KQA_COURSE": settings["course"]}
        if teaches
        else {"KQA_STUDENT": spawner.user.name, "KQA_FOLDER": "~/.kqa"}
    )
    spawner.cmd = [str(programs / "python"), "-m", "jupyterhub.singleuser"]
    spawner.notebook_dir = "~"
    if teaches:
        clone, course = Path(settings["environment"]).parent, Path(settings["course"])
        spawner.notebook_dir = str(clone if course.is_relative_to(clone) else course)
        # terminals start where the server does
        spawner.cmd = ["env", "-C", spawner.notebook_dir, *spawner.cmd]
    spawner.environment = {
        **spawner.environment,
        **own,
        "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin",
        "JUPYTER_CONFIG_PATH": ":".join(map(str, configs)),
    }


c = get_config()  # noqa: F821  # JupyterHub provides it
c.JupyterHub.bind_url = settings["address"]
c.JupyterHub.db_url = f"sqlite:///{place / 'state' / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(place / "state" / "cookie_secret")
c.ConfigurableHTTPProxy.command = [str(place / "hub" / "node_modules" / ".bin" / "configurable-http-proxy")]
c.ConfigurableHTTPProxy.pid_file = str(place / "state" / "proxy.pid")
# everybody with an account on this machine; allowed_users or allowed_groups says less
c.Authenticator.allow_all = True
c.Authenticator.admin_users = instructors
c.Spawner.pre_spawn_hook = own_environment
c.Spawner.default_url = "/lab"
# seconds; the first start on a slow disk takes one minute
c.Spawner.http_timeout = c.Spawner.start_timeout = 120
if "lti" in settings:
    load_subconfig(str(here / "lti_config.py"))  # noqa: F821
