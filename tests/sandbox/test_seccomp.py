"""The system-call filter by its verdicts, on either architecture."""

import errno
import struct

import pytest

from autograder.sandbox.jail import seccomp, syscalls

LOAD, AND, RETURN, IF_EQUAL, IF_GREATER, IF_AT_LEAST = 0x20, 0x54, 0x06, 0x15, 0x25, 0x35
TESTS = {IF_EQUAL: lambda a, b: a == b, IF_GREATER: lambda a, b: a > b, IF_AT_LEAST: lambda a, b: a >= b}
VERDICTS = {0x7FFF0000: "allowed", 0x50000 | errno.EPERM: "refused", 0x50000 | errno.ENOSYS: "unknown"}

MACHINES = tuple(syscalls.ARCHITECTURES)
ME, OTHER = 4711, 4712
THREAD = 0x3D0F00  # what pthread_create asks of clone
# By their numbers in the kernel's headers, x86_64 and aarch64; written here again, and not taken from our own table.
REFUSED = {
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "mount": (165, 40),
    "unshare": (272, 97),
    "setns": (308, 268),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "tkill": (200, 130),
    "setpriority": (141, 140),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "keyctl": (250, 219),
    "fchmodat": (268, 53),
    "fchownat": (260, 54),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "truncate": (76, 45),
    "symlinkat": (266, 36),
    "linkat": (265, 37),
    "mknodat": (259, 33),
    "setuid": (105, 146),
    "chroot": (161, 51),
    "syslog": (103, 116),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264),
    "personality": (135, 92),
    "userfaultfd": (323, 282),
}
CALLS = {  # name, arguments -> verdict
    ("read", (0,)): "allowed",
    ("futex", ()): "allowed",
    ("mmap", ()): "allowed",
    ("clone", (THREAD,)): "allowed",
    ("clone", (17,)): "refused",  # fork
    ("clone", (THREAD | 0x10000000,)): "refused",  # a user namespace
    ("clone3", ()): "unknown",
    ("openat2", ()): "unknown",
    ("kill", (ME,)): "allowed",
    ("kill", (OTHER,)): "refused",
    ("kill", (0,)): "refused",  # the whole group
    ("kill", (-1,)): "refused",  # everybody
    ("tgkill", (OTHER, OTHER, 9)): "refused",
    ("prlimit64", (0,)): "allowed",
    ("prlimit64", (OTHER,)): "refused",
    ("sched_setaffinity", (OTHER,)): "refused",
    ("socketpair", (1, 1)): "allowed",
    ("socketpair", (1, 1 | 0o2000000)): "allowed",
    ("socketpair", (1, 2)): "refused",  # datagrams can be sent to any address
    ("socketpair", (2, 1)): "refused",
    ("fcntl", (3, 4, 0)): "allowed",
    ("fcntl", (3, 8, OTHER)): "refused",  # the kernel would signal the other
    ("fcntl", (3, 10, 9)): "refused",
    ("fcntl", (3, 15, 0)): "refused",
    ("ioctl", (0, 0x5401)): "allowed",
    ("ioctl", (0, 0x5412)): "refused",  # typing into a terminal
    ("ioctl", (0, 0x8901)): "refused",
    ("prctl", (15,)): "allowed",
    ("prctl", (1, 0)): "refused",  # outliving the parent
    ("prctl", (4, 1)): "refused",
    ("openat", (-100, 0, 0)): "allowed",
    ("openat", (-100, 0, 0o101)): "allowed",
    ("openat", (-100, 0, 0o1000)): "refused",  # cut without opening to write
}


def verdict(program, architecture, number, *arguments):
    """What the kernel would make of a call: a small interpreter, for the architecture that is not at hand."""
    padded = [argument % 2**64 for argument in (*arguments, *[0] * 6)][:6]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *padded)
    held, at = 0, 0
    while True:
        operation, if_true, if_false, operand = program[at]
        at += 1
        if operation == RETURN:
            return VERDICTS[operand]
        if operation == LOAD:
            held = struct.unpack_from("<I", data, operand)[0]
        elif operation == AND:
            held &= operand
        else:
            at += if_true if TESTS[operation](held, operand) else if_false


def build(machine, *, read_only=False, device="cpu"):
    return seccomp.build(machine, ME, read_only=read_only, device=device)


def number_of(machine, name):
    tables = (syscalls.plain(machine), syscalls.changes(machine), syscalls.by_argument(machine))
    return next(table[name] for table in tables if name in table)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", REFUSED)
def test_what_reaches_out_is_refused(machine, name):
    number = REFUSED[name][MACHINES.index(machine)]
    assert verdict(build(machine), syscalls.ARCHITECTURES[machine], number) == "refused"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_arguments_decide(machine, name, arguments):
    given = verdict(build(machine), syscalls.ARCHITECTURES[machine], number_of(machine, name), *arguments)
    assert given == CALLS[name, arguments]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments"), [("openat", (-100, 0, 0o1)), ("openat", (-100, 0, 0o100)), ("unlinkat", ()), ("mkdirat", ())]
)
def test_where_no_folder_is_its_own_nothing_is_written(machine, name, arguments):
    program = build(machine, read_only=True)
    number = number_of(machine, name)
    assert verdict(program, syscalls.ARCHITECTURES[machine], number, *arguments) == "refused"
    assert verdict(program, syscalls.ARCHITECTURES[machine], number_of(machine, "openat"), -100, 0, 0) == "allowed"


@pytest.mark.parametrize("machine", MACHINES)
def test_what_a_newer_kernel_adds_is_unknown(machine):
    assert verdict(build(machine), syscalls.ARCHITECTURES[machine], 600) == "unknown"


def test_other_ways_of_calling_the_kernel_are_refused():
    program = build("x86_64")
    assert verdict(program, 0x40000003, 11) == "refused"  # 32 bits: execve
    assert verdict(program, syscalls.ARCHITECTURES["x86_64"], 0x40000000 + 59) == "unknown"  # x32: execve


@pytest.mark.parametrize("machine", MACHINES)
def test_a_graphics_driver_may_ask_its_device_anything_but_not_type(machine):
    program, number = build(machine, device="cuda"), number_of(machine, "ioctl")
    assert verdict(program, syscalls.ARCHITECTURES[machine], number, 5, 0xC0304627) == "allowed"
    assert verdict(program, syscalls.ARCHITECTURES[machine], number, 0, 0x5412) == "refused"


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_stands_for_one_call(machine):
    tables = (syscalls.plain(machine), syscalls.changes(machine), syscalls.by_argument(machine))
    numbers = [number for table in tables for number in table.values()]
    assert len(numbers) == len(set(numbers)) > 100


def test_no_program_is_built_for_an_unknown_machine(monkeypatch):
    monkeypatch.setattr(seccomp, "MACHINE", "riscv64")
    with pytest.raises(OSError, match="riscv64"):
        seccomp.filter_calls(read_only=False, device="cpu")
