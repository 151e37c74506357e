# The instructors' image: this clone with the answer keys, nbgrader with formgrader, and bubblewrap to grade in.
#   docker build -f deploy/images/grader.Dockerfile -t kqa-grader .
# At the first start it copies the course to the instructor's home, where submissions and marks outlive the container.
# Nobody but instructors may pull it. bubblewrap makes user namespaces, which the container's host must allow; `kqa doctor` says.
FROM python:3.12-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap git && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/kqa
COPY . .
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
# Only files with the digests in deploy/locked/grader.txt; torch by its version, and from PyTorch's own index alone.
RUN pip install --no-cache-dir --only-binary=:all: --require-hashes --no-deps -r deploy/locked/grader.txt \
    && pip install --no-cache-dir --no-deps --index-url "$TORCH_INDEX" "$(grep '^torch==' constraints.txt)" \
    && pip install --no-cache-dir --no-deps --no-build-isolation -e .
COPY deploy/images/nbgrader_config.py /etc/jupyter/nbgrader_config.py
COPY deploy/images/start-instructor /usr/local/bin/start-instructor
RUN useradd --create-home --uid 1000 jovyan
USER jovyan
ENV KQA_COURSE=/home/jovyan/kqa/notebooks
ENV JUPYTER_CONFIG_PATH=/home/jovyan/kqa/notebooks
WORKDIR /home/jovyan
CMD ["start-instructor", "--ip=0.0.0.0"]
