#!/bin/sh
# Start a Docker engine of its own in FOLDER and make everything the docker tests need; prints the DOCKER_HOST to use.
#   tests/engine/start_engine.sh FOLDER [WHEELS]     (root, Debian or Ubuntu: docker.io, debootstrap, iproute2)
#   kill "$(cat FOLDER/pid)"                          ends it
# The base image is made on the spot from the distribution's packages: no image registry is asked. It has bubblewrap,
# because the image `app` is built on it without a network (tests/sandbox/test_app_image.py).
# WHEELS: a folder that has the wheels of torch and numpy already; else pip fetches them.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
wheels=${2:-}
here=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}
export DOCKER_HOST="unix://$folder/sock"
say() { echo "$@" >&2; }

if ! [ -S "$folder/sock" ] || ! docker version >/dev/null 2>&1; then
    say "Starting an engine in $folder …"
    # In a network of its own, which leads nowhere: what its containers publish is seen in it alone, and the machine's
    # own network stays as it is.
    unshare --net sh -c 'ip link set lo up && exec dockerd "$@"' dockerd \
        --iptables=false --ip6tables=false --data-root "$folder/data" --exec-root "$folder/exec" \
        --pidfile "$folder/pid" -H "$DOCKER_HOST" >"$folder/log" 2>&1 </dev/null &
    tries=0
    until docker version >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || { say "The engine did not start:"; tail -5 "$folder/log" >&2; exit 1; }
        sleep 0.2
    done
fi

if ! docker image inspect kvhotel-base >/dev/null 2>&1; then
    say "Making the base image …"
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    debootstrap --variant=minbase --include=python3,python3-pip,bubblewrap "$release" "$folder/base" >"$folder/debootstrap.log" 2>&1 ||
        { tail -5 "$folder/debootstrap.log" >&2; exit 1; }
    rm -rf "$folder/base/var/cache/apt" "$folder/base/var/lib/apt/lists"
    tar -C "$folder/base" -c . | docker import - kvhotel-base:latest >/dev/null
    rm -rf "$folder/base"
fi

say "Building the sandbox image …"
cd "$here"
if [ -n "$wheels" ]; then
    "$python" -m grader.sandbox.image --base kvhotel-base --wheels "$wheels" >&2
else
    "$python" -m grader.sandbox.image --base kvhotel-base >&2
fi
echo "$DOCKER_HOST"
