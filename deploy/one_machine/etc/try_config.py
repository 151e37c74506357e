"""The same hub for trying it: any name with the password `try`,
and all servers run as the user who starts the hub.

So everybody can read everything. Never let anybody else reach it.
"""

import os
from pathlib import Path

load_subconfig(str(Path(__file__).with_name("jupyterhub_config.py")))  # noqa: F821  # JupyterHub provides it
place = Path(__file__).resolve().parents[1]

c = get_config()  # noqa: F821
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = "try"
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(place / "home" / "{username}")
c.Spawner.environment = {"KQA_TRY": "1"}
c.JupyterHub.log_level = "ERROR"  # `try` has said what matters; the warnings are about hubs that others reach
c.ConfigurableHTTPProxy.log_level = "error"
if os.geteuid() == 0:
    c.Spawner.args = ["--allow-root"]
