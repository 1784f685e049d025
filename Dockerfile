# Images for servers. Built by `python -m grader.sandbox.image`, which fetches the wheels first: no stage needs a network.
ARG BASE=python:3.11-slim

FROM ${BASE} AS packages
COPY wheels /wheels
RUN python3 -m pip install --no-index --find-links=/wheels --no-cache-dir --target=/packages torch numpy

# What a submission runs in: Python, torch, the worker; nothing else of the project.
FROM ${BASE} AS sandbox
COPY --from=packages /packages /packages
COPY enter.py worker.py /hotel/
USER 60000:60000
WORKDIR /tmp
