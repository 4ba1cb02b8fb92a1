"""Calls at the same moment."""

import threading


def at_once(call, times=8):
    """What `call` returns in so many threads that begin together."""
    answers, barrier = [], threading.Barrier(times)

    def run():
        barrier.wait()
        answers.append(call())

    threads = [threading.Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
