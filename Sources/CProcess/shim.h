// Functions that Swift cannot call: prctl(2) has variable arguments, and the others are extensions of glibc.
#ifndef CONSENTLINK_PROCESS_H
#define CONSENTLINK_PROCESS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Makes the kernel close all open files except the standard streams when the process starts another program. Kernels
/// before 5.11 leave them open.
static inline void consentlink_close_files_on_exec(void) {
    syscall(SYS_close_range, 3U, UINT_MAX, 1U << 2 /* CLOSE_RANGE_CLOEXEC */);
}

/// Adds to the file actions of posix_spawn(3) that the new process closes all files from `first` on. `actions` must be
/// a posix_spawn_file_actions_t. Returns 0 or the system's code. glibc declares its own name for programs that define
/// _GNU_SOURCE, which Swift does not.
int consentlink_close_from(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");

/// Makes the kernel write no core file of this process, and lets only root attach to it. Returns 0 on success.
static inline int consentlink_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/// Returns 1 while the kernel may write a core file of the process.
static inline int consentlink_may_be_dumped(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

#endif
