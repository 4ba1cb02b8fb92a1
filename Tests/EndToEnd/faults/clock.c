/* Shows a program a later date than it is: CLOCK_REALTIME is ahead by CLOCK_AHEAD seconds, every other clock is right.
   (libfaketime changes the environment while it is loaded, and Swift finds a program's arguments by its place.) */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    const char *ahead = getenv("CLOCK_AHEAD");
    if (result == 0 && clock == CLOCK_REALTIME && ahead != NULL) { time->tv_sec += atol(ahead); }
    return result;
}
