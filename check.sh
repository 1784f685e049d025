#!/usr/bin/env bash
# The one door: grade, test, measure, reset. The first run makes .venv beside this file; later runs leave it alone
# unless constraints.txt changed. What is said here is in both languages by hand: there is no Python yet to ask.
set -euo pipefail

here=${BASH_SOURCE[0]%/*}
[[ $here != "${BASH_SOURCE[0]}" ]] || here=.
here=$(cd "$here" && pwd -P)
venv=$here/.venv
python=$venv/bin/python
pins=$here/constraints.txt
lock=$here/.venv.lock
arguments=" $* "

words() { # ENGLISH CHINESE
    local lang=${LANGUAGE:-${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}}
    [[ $arguments =~ \ --lang[\ =](en|zh)\  ]] && lang=${BASH_REMATCH[1]}
    if [[ $lang == zh* ]]; then printf '%s\n' "$2"; else printf '%s\n' "$1"; fi
}

tell() { words "$@" >&2; } # standard output belongs to the command itself

give_up() { # ENGLISH CHINESE: set-up failed; whoever asked for one JSON object gets it
    local message
    tell "$@"
    if [[ $arguments =~ \ --json([\ =]-\ |\ --|\ $) ]]; then
        printf '{"schema": 1, "exercise": "%s", "verdict": "error", "sandbox": "none", "device": "cpu", ' "$command"
        message=$(words "$@")
        message=${message//\\/\\\\}
        printf '"seconds": 0, "message": "%s", "checks": []}\n' "${message//\"/\\\"}"
    fi
    exit 2
}

same() { # FILE FILE, without starting a process
    local left right
    [[ -r $1 && -r $2 ]] || return 1
    IFS= read -r -d '' left <"$1" || true
    IFS= read -r -d '' right <"$2" || true
    [[ $left == "$right" ]]
}

ensure() { # GROUP...: have these groups of pyproject.toml installed as constraints.txt says
    local group
    for group; do
        [[ -x $python ]] && same "$pins" "$venv/pins-$group" && continue
        set_up "$group"
    done
}

set_up() { # GROUP, one at a time over all processes
    local place
    for place in "$here" "$venv" "$lock"; do
        [[ ! -e $place || -w $place ]] ||
            give_up "The Python environment belongs in .venv beside check.sh, and $place cannot be written to: make it writable, or copy the project to a folder of your own." \
                "Python 环境要放在 check.sh 旁边的 .venv 中，但 $place 不可写：请改成可写，或者把项目复制到你自己的文件夹。"
    done
    (
        trap 'call_off; tell "Stopped. The next run goes on from here." "已停止，下次运行会继续。"; exit 130' INT TERM HUP
        trap 'ended $?' EXIT
        flock -n 9 || { tell "Another set-up is running; waiting for it." "另一个安装正在进行，等它结束。"; flock 9; }
        install "$1"
    ) 9>"$lock"
}

child= # the process group of what is being run for the set-up
alone() { # COMMAND ...: run it in a process group of its own: Ctrl-C reaches us alone, and we end all of it
    set -m
    "$@" </dev/null >&2 &
    child=$!
    set +m
    wait "$child"
}

call_off() { # end what runs; where pip had not yet written into a whole environment, that stays good
    [[ -z $child ]] || { kill -TERM -- "-$child" && wait "$child"; } 2>/dev/null || true
    untouched && rm -f "$venv/unfinished"
    true
}

untouched() { # has pip only downloaded so far?
    local folder
    [[ -e $venv/pins-new && -e $venv/unfinished ]] || return
    for folder in "$venv"/lib/python3*/site-packages; do
        [[ ! $folder -nt $venv/unfinished ]] || return
    done
}

ended() { # RC of a set-up: whatever no one foresaw is a set-up that failed, too
    case $1 in
        0 | 2 | 130) ;;
        *) give_up "The set-up failed; the message above says why. Set it right and run the command again." \
            "安装失败，原因见上面的输出；解决后请重新运行。" ;;
    esac
}

install() { # GROUP, with the lock held; what an interrupted set-up left is thrown away
    local wanted index=()
    ! { [[ -x $python ]] && same "$pins" "$venv/pins-$1"; } || return 0
    [[ -x $python && ! -e $venv/unfinished ]] || make_venv
    : >"$venv/unfinished"
    cp "$pins" "$venv/pins-new"
    mapfile -t wanted < <("$python" -c '
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)
groups = {"base": project["project"]["dependencies"], **project["dependency-groups"]}
print(*groups[sys.argv[2]], sep="\n")
' "$here/pyproject.toml" "$1")
    [[ $1 != torch || -z ${KVH_TORCH_INDEX:-} ]] || index=(--index-url "$KVH_TORCH_INDEX")
    tell "Installing into .venv: ${wanted[*]}" "正在装入 .venv：${wanted[*]}"
    if ! alone "$python" -m pip install --disable-pip-version-check --quiet "${index[@]}" -c "$pins" "${wanted[@]}"; then
        rm "$venv/unfinished" # pip itself gave up, and left what was there as it was
        give_up "pip could not install ${wanted[*]}: its message stands above. Set it right and run the command again." \
            "pip 未能安装 ${wanted[*]}，原因见上面的输出；解决后请重新运行。"
    fi
    mv "$venv/pins-new" "$venv/pins-$1"
    rm "$venv/unfinished"
}

make_venv() {
    local candidate base=
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            base=$candidate
            break
        fi
    done
    [[ $base ]] || give_up "Python 3.11 or newer is needed, and no python3 here is: install one, then run this again." \
        "需要 Python 3.11 或更新的版本，本机的 python3 不满足：请安装后重新运行。"
    "$base" -c 'import ensurepip, venv' 2>/dev/null ||
        give_up "$base cannot make virtual environments: install its venv package (Debian and Ubuntu: apt install python3-venv), then run this again." \
            "$base 无法创建虚拟环境：请安装 venv 包（Debian 和 Ubuntu：apt install python3-venv）后重新运行。"
    tell "First run: making a Python environment in .venv" "首次运行：正在 .venv 中创建 Python 环境"
    rm -rf "$venv"
    mkdir "$venv"
    : >"$venv/unfinished"
    alone "$base" -m venv "$venv"
}

TORCH_SIZE=("about 200 MB as a CPU build, about 3 GB with the CUDA libraries that PyPI adds on Linux; README.md tells how to choose"
    "CPU 版约 200 MB；PyPI 在 Linux 上会附带 CUDA 库，约 3 GB；如何选择见 README.md")

torch_now() {
    same "$pins" "$venv/pins-torch" && return
    tell "torch is needed and is downloaded now: ${TORCH_SIZE[0]}." "需要 torch，现在开始下载：${TORCH_SIZE[1]}。"
    ensure torch
}

torch_meanwhile() { # CHECK: it needs torch and waits for it, the others do not; "": some that will be handed in
    same "$pins" "$venv/pins-torch" && return
    [[ ! $arguments =~ \ --only[\ =] || $arguments == *"$1"* ]] || return 0
    if [[ $1 ]]; then
        tell "Paged gather needs torch, which is downloaded while the other checks run: ${TORCH_SIZE[0]}." \
            "paged gather 需要 torch，其余检查运行的同时在后台下载：${TORCH_SIZE[1]}。"
    else
        tell "Grading needs torch, which is downloaded while the playground already runs: ${TORCH_SIZE[0]}." \
            "评测需要 torch，在后台下载，期间可以先用其他功能：${TORCH_SIZE[1]}。"
    fi
    export KVH_TORCH_SETUP=$lock # locked as long as the download runs; taken here, so that no one comes too early
    exec 9>"$lock"
    if flock -n 9; then while_we_live install torch >"$venv/torch.log" 2>&1 </dev/null & fi
    exec 9>&-
}

while_we_live() { # COMMAND ...: end it when the command that this shell becomes has ended: nobody waits for it then
    local work
    trap 'ended $?' EXIT
    (
        trap 'call_off; exit 130' TERM
        trap - EXIT
        "$@"
    ) &
    work=$!
    while kill -0 "$work" 2>/dev/null; do
        kill -0 "$$" 2>/dev/null || kill -TERM "$work" 2>/dev/null || true
        sleep 0.3
    done
    wait "$work"
}

run() { PYTHONPATH=$here exec "$python" -P "$@"; }

tests() {
    local marks=(-m "not full") rc=0 not_alone=(apptest browser desk grading hostile sandbox) # more than Python is needed
    case ${1:-} in
        --fast) marks=(-m "not full and not slow" "${not_alone[@]/#/--ignore=tests/}"); shift ;;
        --all) marks=(); shift ;;
    esac
    ensure base app docker postgres test
    torch_now
    cd "$here"
    "$python" -m ruff check . || rc=1
    "$python" -m mypy --strict grader solutions app || rc=1
    "$python" -m pytest "${marks[@]}" "$@" || rc=1
    return $rc
}

bench_words() { # what there is to measure, without installing anything for it
    local file
    words "./check.sh bench NAME measures; NAME is one of:" "./check.sh bench NAME 测量性能，NAME 是以下之一："
    for file in "$here"/tests/bench/[!_]*.py; do
        grep -qs '^def main(' "$file" && printf '  %s\n' "$(basename "$file" .py)"
    done
    true
}

command=${1:-}
case "$command ${2:-}" in
    "bench " | "bench -h" | "bench --help") bench_words; exit ;;
    "test -h" | "test --help")
        words "./check.sh test [--fast | --all] [options of pytest …]: the tests, with ruff and mypy" \
            "./check.sh test [--fast | --all] [pytest 的选项 …]：运行测试，以及 ruff 和 mypy"
        exit ;;
    "setup -h" | "setup --help")
        words "./check.sh setup [base | app | test | torch | docker | postgres …]: install ahead of need" \
            "./check.sh setup [base | app | test | torch | docker | postgres …]：提前安装"
        exit ;;
esac
case $command in
    test) shift; tests "$@" ;;
    bench) shift; ensure base app test; torch_now; run -m tests.bench "$@" ;;
    setup) shift; ensure base "$@" ;; # ahead of need, and for whoever calls .venv/bin/python alone
    words) ensure base; run -m grader.commands.catalogue ;;
    app)
        shift
        ensure base app
        [[ $arguments =~ \ (--help|-h)\  ]] || torch_meanwhile "" # who only watches never needs it
        run -m app "$@"
        ;;
    *)
        ensure base
        [[ ! $arguments =~ \ --sandbox[\ =]docker\  ]] || ensure docker
        declared=$here/grader/exercises/$command/exercise.toml
        if [[ $command && -r $declared && ! $arguments =~ \ (--hint|--help|-h)[\ =] ]]; then
            IFS= read -r -d '' declared <"$declared" || true
            if [[ $declared == *$'\ntorch = true'* ]]; then torch_now
            elif [[ $declared =~ $'\n'judge_torch\ =\ \"([a-z-]+)\" ]]; then torch_meanwhile "${BASH_REMATCH[1]}"; fi
        fi
        run -m grader "$@"
        ;;
esac
