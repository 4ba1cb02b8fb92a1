// prctl(2) takes a variable number of arguments, which Swift cannot call.
#ifndef CONSENTLINK_PROCESS_H
#define CONSENTLINK_PROCESS_H

#include <sys/prctl.h>

/// Has the kernel write no core file of this process, and let only root attach to it. 0 when done.
static inline int consentlink_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/// 1 while the process may be dumped.
static inline int consentlink_may_be_dumped(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

#endif
