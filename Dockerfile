# Images for servers. `sandbox`: what the docker backend runs a submission in; python -m grader.sandbox.image builds it.
# `app`: the playground; docker build --target app -t kv-hotel . builds it, and docs/serving.md tells how it is run.
# What a folder `wheels` beside this file holds is installed without a network; where there is none, pip asks its index.
ARG BASE=python:3.11-slim

FROM ${BASE} AS packages
ARG KVH_TORCH_INDEX=
# A pattern that matches nothing is no error, a name would be: there may be no folder `wheels`.
COPY constraints.txt wheel[s] /wheels/
RUN python3 -m venv --without-pip /venv && echo "[install]" >/venv/pip.conf && \
    if ls /wheels/*.whl >/dev/null 2>&1; then printf '%s\n' "no-index = true" "find-links = /wheels" >>/venv/pip.conf; \
    elif [ "$KVH_TORCH_INDEX" ]; then echo "extra-index-url = $KVH_TORCH_INDEX" >>/venv/pip.conf; fi && \
    python3 -m pip --python /venv/bin/python install --no-cache-dir -c /wheels/constraints.txt torch numpy && \
    cd /venv/lib/python3*/site-packages/torch && rm -rf include test bin/protoc* bin/*[Tt]est*

# What a submission runs in: Python, torch, the worker; nothing else of the project.
FROM ${BASE} AS sandbox
COPY --from=packages /venv/lib/python3*/site-packages /packages
COPY grader/sandbox/enter.py grader/sandbox/worker.py /hotel/
USER 60000:60000
WORKDIR /tmp

FROM packages AS app-packages
COPY pyproject.toml /wheels/
RUN python3 -c 'import tomllib; project = tomllib.load(open("/wheels/pyproject.toml", "rb")); \
groups = project["dependency-groups"]; \
print(*project["project"]["dependencies"], *groups["app"], *groups["postgres"], *groups["docker"], sep="\n")' \
    >/wheels/wanted && \
    python3 -m pip --python /venv/bin/python install --no-cache-dir -c /wheels/constraints.txt -r /wheels/wanted && \
    rm /venv/pip.conf

# The playground. The code is root's, so that whoever takes over the server cannot change it.
FROM ${BASE} AS app
RUN command -v bwrap >/dev/null || \
    { apt-get update && apt-get install -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*; }
RUN useradd --uid 10001 --home-dir /tmp --no-create-home --shell /usr/sbin/nologin hotel && \
    install -d -o hotel -g hotel -m 0700 /data
COPY --from=app-packages /venv /venv
WORKDIR /kv-hotel
COPY Dockerfile constraints.txt pyproject.toml ./
COPY .streamlit .streamlit
COPY locale locale
COPY grader grader
COPY solutions solutions
COPY app app
ENV PATH=/venv/bin:$PATH PYTHONPATH=/kv-hotel PYTHONSAFEPATH=1 PYTHONDONTWRITEBYTECODE=1 LANG=C.UTF-8 HOME=/tmp \
    KVH_DATA=/data
RUN chmod -R u=rwX,go=rX . && python -m compileall -q app grader solutions && \
    python -c "from grader.words import translator; translator('zh')"
USER 10001:10001
VOLUME /data
EXPOSE 8501
# Through http.client: a proxy in the environment has no say in what a container asks of itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["python", "-c", "from http.client import HTTPConnection; \
server = HTTPConnection('127.0.0.1', 8501, timeout=4); server.request('GET', '/_stcore/health'); \
raise SystemExit(server.getresponse().status != 200)"]
# The container's own address is all of it: who may come in is decided where the port is published.
CMD ["python", "-m", "app", "--address", "0.0.0.0", "--open-to-all"]
