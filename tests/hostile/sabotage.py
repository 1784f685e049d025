"""The sabotage table: each flag, limit and check of ours taken away in turn, and the hostile file that must notice.

What is taken away is taken away in one judge process in the room, by patching its modules. Some layers stand behind
another one that would do as well; they are taken away together with it, and what is seen tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.hostile.acts import (
    attachments_fit,
    both,
    edited_command,
    endless_grading,
    engine_socket,
    halves_are_whole,
    in_docker,
    in_docker_container,
    in_enter,
    in_worker,
    keeping_all_output,
    lax_json,
    patient_link,
    taking_anything,
    trusting_pictures,
    trusting_views,
    unlimited_link,
    untouched_text,
    untyped_number,
    unwritten,
    without_flags,
    without_rlimit,
    without_seccomp,
    without_uid_drop,
)


@dataclass(frozen=True)
class Sabotage:
    """``notices``: the hostile file that turns red. ``sees``: what must then stand in its report, if it matters."""

    notices: str
    carry_out: Callable[[], None]
    sees: str = ""
    backend: str = "bubblewrap"


PROC = ("--proc", "/proc")
CLASSIC = {"memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.max", "memory.swap.max"}

TABLE: dict[str, Sabotage] = {
    # -- bubblewrap's flags
    "no pid namespace": Sabotage("other_processes", partial(without_flags, "--unshare-pid"), "escaped: sees"),
    "no network namespace": Sabotage("abstract_socket", partial(without_flags, "--unshare-net"), "passed"),
    "no ipc namespace, and no seccomp": Sabotage(
        "shared_memory", both(partial(without_flags, "--unshare-ipc"), without_seccomp), "with another process"
    ),
    "no uts namespace": Sabotage("host_name", partial(without_flags, "--unshare-uts", "--hostname hotel"), "runs on"),
    "no cgroup namespace, and a /proc": Sabotage(
        "reads_proc", partial(without_flags, "--unshare-cgroup-try", more=PROC), "sees its control group"
    ),
    "a /proc, and no pid namespace": Sabotage(
        "reads_proc", partial(without_flags, "--unshare-pid", more=PROC), "saw the process"
    ),
    "no new session": Sabotage("types_into_terminal", partial(without_flags, "--new-session"), "judge's session"),
    "no capabilities dropped, and no uid": Sabotage(
        "capabilities", both(partial(without_flags, "--cap-drop ALL"), without_uid_drop), "has capabilities"
    ),
    "no cleared environment": Sabotage("reads_environment", partial(without_flags, "--clearenv"), "KVHOTEL_CHILD"),
    "a root that stays writable": Sabotage(
        "writes_everywhere", partial(edited_command, ("--remount-ro", "/"), ()), "mounted writable"
    ),
    "bound folders that are writable": Sabotage(
        "writes_everywhere",
        partial(edited_command, ("--ro-bind", "/usr/lib"), ("--bind", "/usr/lib")),
        "mounted writable",
    ),
    "a scratch space without a size": Sabotage(
        "fills_scratch", both(partial(edited_command, ("--size", ""), ()), partial(unwritten, *CLASSIC)), "escaped"
    ),
    "the machine's /dev": Sabotage("devices", partial(without_flags, more=("--dev-bind", "/dev", "/dev")), "has /dev/"),
    "no seccomp": Sabotage("system_calls", without_seccomp, "escaped: may call"),
    "no seccomp: namespaces": Sabotage("new_namespaces", without_seccomp, "namespaces"),
    "no seccomp: networks": Sabotage("network", without_seccomp, "escaped"),
    "the solutions seen": Sabotage(
        "reads_solutions",
        partial(without_flags, more=("--ro-bind", str(Path(__file__).parents[2] / "solutions"), "/answers")),
        "passed",
    ),
    "the grader importable": Sabotage(
        "imports_grader",
        partial(without_flags, more=("--ro-bind", str(Path(__file__).parents[2]), "/app")),
        "passed",
    ),
    "the scratch space shared with the judge": Sabotage(
        "reads_other_submissions",
        partial(edited_command, ("--size", "", "--perms", "1777", "--tmpfs", "/tmp"), ("--ro-bind", "/var", "/tmp")),
        "escaped",
    ),
    # -- what enter.py gives up
    "no descriptor closed": Sabotage("reads_descriptors", partial(in_enter, "os.closerange(3, 1 << 20)", "pass")),
    "no uid drop": Sabotage("becomes_root", without_uid_drop, "is root"),
    "no memory limit for a process": Sabotage("memory_on_import", partial(without_rlimit, "AS")),
    "no CPU limit": Sabotage("unlimited", partial(without_rlimit, "CPU"), "CPU has no limit"),
    "no limit on files": Sabotage("unlimited", partial(without_rlimit, "FSIZE"), "FSIZE has no limit"),
    "no limit on core dumps": Sabotage("unlimited", partial(without_rlimit, "CORE"), "CORE"),
    "no limit on descriptors": Sabotage("many_descriptors", partial(without_rlimit, "NOFILE")),
    "plan left on the command line": Sabotage("reads_arguments", partial(in_enter, "sys.argv = [file]", "pass")),
    # -- control groups
    "no memory group": Sabotage("memory_in_children", partial(unwritten, *CLASSIC), "escaped"),
    "no group of processes, no rlimit": Sabotage(
        "fork_to_the_limit", both(partial(unwritten, "pids.max"), partial(without_rlimit, "NPROC")), "escaped"
    ),
    # -- the worker
    "frames left on descriptor 1": Sabotage("forged_stdout", partial(in_worker, "os.dup2(2, 1)", "pass")),
    "subclasses pass for ints": Sabotage(
        "int_subclass",
        partial(
            in_worker,
            "kind = type(value)\n                if",
            "kind = int if isinstance(value, int) else type(value)\n                if",
        ),
    ),
    "bools pass in lists": Sabotage(
        "bool_for_int", partial(in_worker, "if type(item) is not int:", "if not isinstance(item, int):")
    ),
    "subclasses pass for lists": Sabotage(
        "list_subclass", partial(in_worker, "if kind is list:", "if isinstance(value, list):")
    ),
    "texts of exceptions taken unguarded": Sabotage(
        "exception_with_hostile_text",
        partial(
            in_worker,
            "text = str(error)\n    except BaseException:",
            "text = str(error)\n    except ZeroDivisionError:",
        ),
    ),
    "objects shown by their own repr": Sabotage(
        "length_that_lies", partial(in_worker, "if type(value) not in PLAIN:", "if False:")
    ),
    "lists of any length": Sabotage("long_list", partial(in_worker, "LONGEST = 1 << 14", "LONGEST = 1 << 40")),
    "numbers of any size": Sabotage("huge_int", partial(in_worker, "if not -WIDEST <= item < WIDEST:", "if False:")),
    "SystemExit let through": Sabotage(
        "system_exit_in_call",
        partial(
            in_worker,
            "except BaseException as error:\n                r",
            "except Exception as error:\n                r",
        ),
    ),
    # -- the judge's end of the link
    "no number check": Sabotage("forged_number", untyped_number),
    "JSON of any kind": Sabotage("forged_json_deep", lax_json),
    "no type check on results": Sabotage("forged_types", taking_anything),
    "replies may be short": Sabotage("forged_half_reply", halves_are_whole),
    "attachments may be short": Sabotage("forged_attachment", attachments_fit),
    "no size cap on frames": Sabotage(
        "forged_size", partial(unlimited_link, reply_mib=1 << 20, attachment_mib=1 << 20)
    ),
    "no cap on output": Sabotage("stdout_flood", keeping_all_output),
    "no limit of one op": Sabotage("loop_in_call", patient_link),
    "no limit of the grading": Sabotage("forged_signs_of_life", endless_grading),
    "texts shown as they come": Sabotage("terminal_escapes", untouched_text, "control characters"),
    "views taken at their word (p06)": Sabotage("forged_views", trusting_views, "fault"),
    "views taken at their word (l22)": Sabotage("l22_forged_views", trusting_pictures, "fault"),
    # -- docker's
    "docker: the engine's network": Sabotage("reads_interfaces", in_docker(network_mode="host"), backend="docker"),
    "docker: a network": Sabotage("reads_interfaces", in_docker(network_mode="bridge"), backend="docker"),
    "docker: the machine's processes": Sabotage("other_processes", in_docker(pid_mode="host"), backend="docker"),
    "docker: a writable root": Sabotage("writes_everywhere", in_docker(read_only=None), backend="docker"),
    "docker: root": Sabotage("becomes_root", in_docker_container(user="0:0"), backend="docker"),
    "docker: new privileges, and no seccomp": Sabotage(
        "capabilities", both(in_docker(security_opt=None), without_seccomp), "gain privileges", "docker"
    ),
    "docker: no capabilities dropped, and root": Sabotage(
        "capabilities", both(in_docker(cap_drop=None), in_docker_container(user="0:0")), "has capabilities", "docker"
    ),
    "docker: a /dev/shm": Sabotage("shared_memory", in_docker(ipc_mode=None), backend="docker"),
    "docker: no memory limit": Sabotage(
        "memory_in_children", in_docker(mem_limit=None, memswap_limit=None), "escaped", "docker"
    ),
    "docker: no process limit": Sabotage("fork_to_the_limit", in_docker(pids_limit=None), "escaped", "docker"),
    "docker: a scratch space without a size": Sabotage(
        "fills_scratch",
        in_docker(tmpfs={"/tmp": "rw,mode=1777"}, mem_limit=None, memswap_limit=None),
        "escaped",
        "docker",
    ),
    "docker: the engine's socket": Sabotage(
        "reads_docker_socket",
        lambda: both(in_docker(binds=[engine_socket() + ":/run/docker.sock"]), in_docker_container(user="0:0"))(),
        backend="docker",
    ),
}  # fmt: skip
