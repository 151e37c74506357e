# The students' image: the wheel with its data, JupyterLab, nbgrader, nbgitpuller. No answer key: only the wheel is copied into it.
#   .venv/bin/python -m hatchling build --target wheel --directory dist/wheel
#   docker build -f deploy/images/student.Dockerfile -t kqa-student .
FROM python:3.12-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY constraints.txt deploy/locked/student.txt /tmp/
COPY dist/wheel/ /tmp/wheel/
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
# Only files with the digests in deploy/locked/student.txt; torch by its version, and from PyTorch's own index alone.
RUN pip install --no-cache-dir --only-binary=:all: --require-hashes --no-deps -r /tmp/student.txt \
    && pip install --no-cache-dir --no-deps --index-url "$TORCH_INDEX" "$(grep '^torch==' /tmp/constraints.txt)" \
    && pip install --no-cache-dir --no-deps /tmp/wheel/*.whl \
    && rm -r /tmp/wheel /tmp/constraints.txt /tmp/student.txt
COPY deploy/images/nbgrader_config.py /etc/jupyter/nbgrader_config.py
COPY deploy/one_machine/etc/student/ /etc/jupyter/
RUN useradd --create-home --uid 1000 jovyan
USER jovyan
WORKDIR /home/jovyan
CMD ["jupyterhub-singleuser", "--ip=0.0.0.0"]
