"""Processes that work beside this one and end with it, however it ends."""

import ctypes
import multiprocessing
import os
import signal

PR_SET_PDEATHSIG = 1
_processes = multiprocessing.get_context("fork")


def begin(work, *arguments):
    """Starts a process, whose work gets the arguments and the other end of a pipe; returns both."""
    pipe, other = _processes.Pipe()
    process = _processes.Process(target=_run, args=(work, (*arguments, other)), daemon=True)
    process.start()
    return process, pipe


def _run(work, arguments):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # A copy of the pipe whose end the cluster's guardian waits for is here too.
    pipe = arguments[-1].fileno()
    os.closerange(3, pipe)
    os.closerange(pipe + 1, os.sysconf("SC_OPEN_MAX"))
    work(*arguments)
