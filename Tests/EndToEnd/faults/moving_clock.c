/* Shows a program a wall clock that can be moved while it runs: CLOCK_REALTIME is ahead by the milliseconds, a signed
   64-bit number, in the file named by CLOCK_OFFSET_FILE. Every other clock is right. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *offset;

__attribute__((constructor)) static void map_offset(void) {
    const char *path = getenv("CLOCK_OFFSET_FILE");
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) { return; }
    void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) { offset = page; }
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result != 0 || clock != CLOCK_REALTIME || offset == NULL) { return result; }
    int64_t milliseconds = *offset;
    int64_t nanoseconds = time->tv_nsec + milliseconds % 1000 * 1000000;
    time->tv_sec += milliseconds / 1000 + (nanoseconds < 0 ? -1 : nanoseconds / 1000000000);
    time->tv_nsec = nanoseconds < 0 ? nanoseconds + 1000000000 : nanoseconds % 1000000000;
    return 0;
}

/* PostgreSQL reads its clock with it. */
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return result;
}
