# The students' image: the wheel with its data, JupyterLab, nbgrader, nbgitpuller. No answer key: only the wheel is copied into it.
#   .venv/bin/python -m hatchling build --target wheel --directory dist/wheel
#   docker build -f deploy/images/student.Dockerfile -t kqa-student .
FROM python:3.12-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY constraints.txt /tmp/constraints.txt
COPY dist/wheel/ /tmp/wheel/
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN wheel=$(echo /tmp/wheel/*.whl) && torch=$(grep '^torch==' /tmp/constraints.txt) \
    && pip install --no-cache-dir --extra-index-url "$TORCH_INDEX" "$torch" -c /tmp/constraints.txt \
    && pip install --no-cache-dir "${wheel}[hub]" jupyterhub -c /tmp/constraints.txt \
    && pip install --no-cache-dir nbgitpuller==1.3.0 ngshare_exchange==0.5.3 \
    && rm -r /tmp/wheel /tmp/constraints.txt
COPY deploy/images/nbgrader_config.py /etc/jupyter/nbgrader_config.py
COPY deploy/one_machine/etc/student/ /etc/jupyter/
RUN useradd --create-home --uid 1000 jovyan
USER jovyan
WORKDIR /home/jovyan
CMD ["jupyterhub-singleuser", "--ip=0.0.0.0"]
