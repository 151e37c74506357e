"""Attempts to use more than a runner's share of the machine, and to leave something for the next runner."""

from __future__ import annotations

from autograder.judge.escape_cell import attempt

CAPS = (
    attempt(
        "starts many processes",
        """
        import os, time
        started = 0
        for _ in range(300):
            try:
                if os.fork() == 0:
                    time.sleep(30)
                    os._exit(0)
                started += 1
            except OSError:
                break
        return started > 100 and f'{started} processes'
        """,
    ),
    attempt(
        "raises its limits",
        """
        import resource
        raised = []
        for name in ('FSIZE', 'NPROC', 'CPU', 'DATA', 'NOFILE'):
            try:
                resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (-1, -1))
                raised.append(name)
            except (ValueError, OSError):
                pass
        return raised and str(raised)
        """,
    ),
    attempt(
        "takes the processors of other submissions",
        """
        import os
        try:
            os.sched_setaffinity(0, range(os.cpu_count() or 1))
        except OSError:
            return False
        return 'it chose its processors'
        """,
    ),
    attempt(
        "lowers its limits, so that the kernel kills it as if from outside",
        """
        import resource
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (0, 0))
        except (ValueError, OSError):
            return False
        return 'a lower limit'
        """,
    ),
    attempt(
        "holds shared memory that is resident nowhere",
        """
        import mmap, time
        hoard = []
        for _ in range(64):
            hoard.append(mmap.mmap(-1, 2 ** 27))
            for at in range(0, 2 ** 27, 2 ** 22):
                hoard[-1][at : at + 2 ** 22] = bytes(2 ** 22)
            hoard[-1].madvise(mmap.MADV_DONTNEED)
        time.sleep(2)
        return '8 GiB'
        """,
    ),
    attempt(
        "makes memory without a file that needs no mapping",
        """
        import os
        return os.memfd_create('hoard') and 'a memfd'
        """,
    ),
    attempt("takes much memory at once", "x = bytearray(8 * 2 ** 30)\nreturn 'got 8 GiB'"),
    attempt(
        "takes memory in small steps",
        "import time\nhoard = []\nwhile True:\n    hoard.append(bytearray(2 ** 22))\n    time.sleep(0.002)",
    ),
    attempt(
        "takes memory in its children",
        """
        import os, time
        for _ in range(8):
            if os.fork() == 0:
                os.setsid()
                hoard = bytearray(150 * 2 ** 20)
                time.sleep(60)
                os._exit(0)
        time.sleep(60)
        return 'eight times 150 MiB'
        """,
    ),
    attempt(
        "goes on after its time",
        """
        import signal
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
        """,
        seconds=2.0,
    ),
)
LEAVES = (
    attempt(
        "leaves files",
        """
        import os
        for place in (os.getcwd(), '/tmp', '/dev/shm'):
            try:
                open(os.path.join(place, 'left'), 'w').close()
            except OSError:
                pass
        return False
        """,
        "import os\nreturn [p for p in ('.', '/tmp', '/dev/shm') if 'left' in os.listdir(p)] or False",
    ),
    attempt(
        "leaves a process",
        """
        import os, socket, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                s = socket.socket(socket.AF_UNIX)
                s.bind('\\0kqa-left')
                s.listen()
                time.sleep(60)
            os._exit(0)
        time.sleep(0.3)
        return False
        """,
        "import socket\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "s.connect('\\0kqa-left')\n"
        "return 'it still listens'",
    ),
    attempt(
        "leaves shared memory",
        """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmget(0x6b7161, 4096, 0o1666)
        return False
        """,
        "import ctypes\nreturn ctypes.CDLL(None, use_errno=True).shmget(0x6b7161, 0, 0) != -1 and 'shared"
        " memory'",
    ),
    attempt(
        "leaves a changed library",
        "import math, numpy\nmath.left = numpy.left = True\nreturn False",
        "import math, numpy\nreturn (hasattr(math, 'left') or hasattr(numpy, 'left')) and 'the change'",
    ),
)
