"""System calls by name, with their numbers on x86_64 and aarch64.

A name that stands in none of these tables is refused.
"""

from __future__ import annotations

from collections.abc import Mapping

# Harmless whatever their arguments: they read, wait, manage the process's own memory and threads, or act on descriptors
# that are open already. name:x86_64:aarch64, "-" where there is none.
_PLAIN = """
    read:0:63 readv:19:65 pread64:17:67 preadv:295:69 preadv2:327:286 write:1:64 writev:20:66 pwrite64:18:68
    pwritev:296:70 pwritev2:328:287 lseek:8:62 close:3:57 close_range:436:436 dup:32:23 dup2:33:- dup3:292:24
    pipe:22:- pipe2:293:59 stat:4:- lstat:6:- fstat:5:80 newfstatat:262:79 statx:332:291 statfs:137:43
    fstatfs:138:44 access:21:- faccessat:269:48 faccessat2:439:439 readlink:89:- readlinkat:267:78 getdents:78:-
    getdents64:217:61 getcwd:79:17 chdir:80:49 fchdir:81:50 flock:73:32 fadvise64:221:223 readahead:187:213
    sendfile:40:71 copy_file_range:326:285 poll:7:- ppoll:271:73 select:23:- pselect6:270:72 epoll_create:213:-
    epoll_create1:291:20 epoll_ctl:233:21 epoll_wait:232:- epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284:-
    eventfd2:290:19 timerfd_create:283:85 timerfd_settime:286:86 timerfd_gettime:287:87 signalfd:282:-
    signalfd4:289:74 fsync:74:82 fdatasync:75:83 sync_file_range:277:84 umask:95:166 mmap:9:222 mprotect:10:226
    munmap:11:215 mremap:25:216 madvise:28:233 msync:26:227 mincore:27:232 brk:12:214 membarrier:324:283
    get_mempolicy:239:236 getpid:39:172 gettid:186:178 getppid:110:173 getpgid:121:155 getpgrp:111:-
    getsid:124:156 getuid:102:174 geteuid:107:175 getgid:104:176 getegid:108:177 getresuid:118:148
    getresgid:120:150 getgroups:115:158 getcpu:309:168 getrusage:98:165 times:100:153 uname:63:160
    sysinfo:99:179 getrlimit:97:163 setrlimit:160:164 getpriority:140:141 capget:125:90 arch_prctl:158:-
    set_tid_address:218:96 set_robust_list:273:99 rseq:334:293 restart_syscall:219:128 exit:60:93
    exit_group:231:94 wait4:61:260 waitid:247:95 sched_yield:24:124 sched_getaffinity:204:123
    sched_getparam:143:121 sched_getscheduler:145:120 sched_get_priority_max:146:125
    sched_get_priority_min:147:126 sched_rr_get_interval:148:127 sched_getattr:315:275 rt_sigaction:13:134
    rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigpending:127:136 rt_sigtimedwait:128:137
    rt_sigsuspend:130:133 sigaltstack:131:132 pause:34:- alarm:37:- setitimer:38:103 getitimer:36:102
    clock_gettime:228:113 clock_getres:229:114 clock_nanosleep:230:115 nanosleep:35:101 gettimeofday:96:169
    time:201:- futex:202:98 futex_waitv:449:449 futex_wake:454:454 futex_wait:455:455 futex_requeue:456:456
    sendto:44:206 recvfrom:45:207 sendmsg:46:211 recvmsg:47:212 getsockopt:55:209 setsockopt:54:208
    getsockname:51:204 getpeername:52:205 shutdown:48:210 getrandom:318:278
"""

# What changes files; where Landlock keeps to the child's own folder, these are harmless too.
_CHANGES = """
    ftruncate:77:46 fallocate:285:47 rename:82:- renameat:264:38 renameat2:316:276 mkdir:83:- mkdirat:258:34
    unlink:87:- unlinkat:263:35 rmdir:84:-
"""

# Allowed for some arguments only, or answered in another way.
_BY_ARGUMENT = """
    open:2:- openat:257:56 fcntl:72:25 ioctl:16:29 prlimit64:302:261 prctl:157:167 clone:56:220 clone3:435:435
    kill:62:129 tgkill:234:131 sched_setaffinity:203:122 socketpair:53:199 openat2:437:437
"""

LAST_KNOWN = 456  # of both architectures: what a newer kernel adds is "not implemented", so that libraries do without
ARCHITECTURES: Mapping[str, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
INSTALL_FILTER: Mapping[str, int] = {"x86_64": 317, "aarch64": 277}


def plain(machine: str) -> Mapping[str, int]:
    """The calls that are always allowed."""
    return _numbers(_PLAIN, machine)


def changes(machine: str) -> Mapping[str, int]:
    """The calls that change files."""
    return _numbers(_CHANGES, machine)


def by_argument(machine: str) -> Mapping[str, int]:
    """The calls of which the arguments decide."""
    return _numbers(_BY_ARGUMENT, machine)


def _numbers(table: str, machine: str) -> Mapping[str, int]:
    column = tuple(ARCHITECTURES).index(machine)
    rows = (row.split(":") for row in table.split())
    return {name: int(numbers[column]) for name, *numbers in rows if numbers[column] != "-"}
