/* Shows a program that time has passed while it did not run: CLOCK_REALTIME, and CLOCK_BOOTTIME as on a machine that
   went on, are ahead by CLOCK_AHEAD seconds. Every other clock is right.
   (libfaketime changes the environment while it is loaded, and Swift finds a program's arguments by its place.) */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    const char *ahead = getenv("CLOCK_AHEAD");
    if (result == 0 && ahead != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME)) {
        time->tv_sec += atol(ahead);
    }
    return result;
}
