/* A disk that fails on command: loaded into the service by LD_PRELOAD, it stands between SQLite and the C library.
 *
 * FAULT_FILES    what the names of the files that fail have in them, such as "spool.db"; with a slash, what the name of
 *                their folder begins with is before it
 * FAULT_CONTROL  a file that says what goes wrong, read at every call: a line "write ERRNO", "sync ERRNO",
 *                "rename ERRNO", "open ERRNO", "read ERRNO", "sync once ERRNO" or
 *                "sync delay SECONDS"; nothing goes wrong while it is empty
 * FAULT_LOG      a file to which every write, sync and failed call of such a file is added: its kind, its file and the
 *                errno, or 0
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* The name of a file that fails, in its path; NULL for other files. */
static const char *named(const char *path) {
    const char *files = getenv("FAULT_FILES");
    const char *name = strrchr(path, '/');
    if (!files || !name) return NULL;
    const char *slash = strchr(files, '/');
    if (!slash) return strstr(name, files) ? name + 1 : NULL;
    const char *folder = name;
    while (folder > path && folder[-1] != '/') folder--;
    return strncmp(folder, files, (size_t)(slash - files)) == 0 && strstr(name, slash + 1) ? name + 1 : NULL;
}

static const char *watched(int fd, char *path, size_t size) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    return named(path);
}

static void note(const char *kind, const char *name, int error) {
    const char *path = getenv("FAULT_LOG");
    char line[256];
    int length = snprintf(line, sizeof line, "%s %s %d\n", kind, name, error);
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd < 0) return;
    /* Not write(): that is one of the calls below. */
    FILE *file = fdopen(fd, "a");
    if (file) {
        fwrite(line, 1, (size_t)length, file);
        fclose(file);
    }
}

/* What the control file says about this kind of call: an errno, after a delay if it says so. */
static int fault(const char *kind) {
    const char *path = getenv("FAULT_CONTROL");
    FILE *file = path ? fopen(path, "re") : NULL;
    char what[16] = "", how[16] = "";
    int amount = 0;
    if (!file) return 0;
    int fields = fscanf(file, "%15s %15s %d", what, how, &amount);
    fclose(file);
    if (fields < 2 || strcmp(what, kind) != 0) return 0;
    if (strcmp(how, "delay") == 0) {
        struct timespec pause = {amount, 0};
        nanosleep(&pause, NULL);
        return 0;
    }
    if (strcmp(how, "once") == 0) {
        if (truncate(path, 0) != 0) abort();
        return amount;
    }
    return atoi(how);
}

/* What becomes of one call: the fault's errno, or what the C library answers. */
#define AROUND(kind, type, symbol, ...)                  \
    static type real;                                    \
    if (!real) real = (type)dlsym(RTLD_NEXT, symbol);    \
    char path[4096];                                     \
    const char *name = watched(fd, path, sizeof path);   \
    int error = name ? fault(kind) : 0;                  \
    if (error) {                                         \
        note(kind, name, error);                         \
        errno = error;                                   \
        return -1;                                       \
    }                                                    \
    __typeof__(real(__VA_ARGS__)) result = real(__VA_ARGS__); \
    int after = errno;                                   \
    if (name) note(kind, name, result < 0 ? after : 0);  \
    errno = after;                                       \
    return result;

typedef int (*rename_call)(const char *, const char *);

/* Of what the file is to be called. */
int rename(const char *from, const char *to) {
    static rename_call real;
    if (!real) real = (rename_call)dlsym(RTLD_NEXT, "rename");
    const char *name = named(to);
    int error = name ? fault("rename") : 0;
    if (!error) return real(from, to);
    note("rename", name, error);
    errno = error;
    return -1;
}

typedef int (*sync_call)(int);
typedef ssize_t (*write_call)(int, const void *, size_t);
typedef ssize_t (*pwrite_call)(int, const void *, size_t, off_t);

int fsync(int fd) { AROUND("sync", sync_call, "fsync", fd) }

int fdatasync(int fd) { AROUND("sync", sync_call, "fdatasync", fd) }

ssize_t write(int fd, const void *bytes, size_t count) {
    AROUND("write", write_call, "write", fd, bytes, count)
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    AROUND("write", pwrite_call, "pwrite", fd, bytes, count, at)
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    AROUND("write", pwrite_call, "pwrite64", fd, bytes, count, at)
}

/* A read that fails is noted, and no other. */
#define UNLESS_FAILED(type, symbol, ...)               \
    static type real;                                  \
    if (!real) real = (type)dlsym(RTLD_NEXT, symbol);  \
    char path[4096];                                   \
    const char *name = watched(fd, path, sizeof path); \
    int error = name ? fault("read") : 0;              \
    if (!error) return real(__VA_ARGS__);              \
    note("read", name, error);                         \
    errno = error;                                     \
    return -1;

typedef ssize_t (*read_call)(int, void *, size_t);
typedef ssize_t (*pread_call)(int, void *, size_t, off_t);

ssize_t read(int fd, void *bytes, size_t count) { UNLESS_FAILED(read_call, "read", fd, bytes, count) }

ssize_t pread(int fd, void *bytes, size_t count, off_t at) { UNLESS_FAILED(pread_call, "pread", fd, bytes, count, at) }

ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) {
    UNLESS_FAILED(pread_call, "pread64", fd, bytes, count, at)
}

typedef int (*open_call)(const char *, int, ...);

static int opened(const char *symbol, const char *path, int flags, mode_t mode) {
    open_call real = (open_call)dlsym(RTLD_NEXT, symbol);
    const char *files = getenv("FAULT_FILES");
    const char *name = strrchr(path, '/');
    int error = files && name && strstr(name, files) ? fault("open") : 0;
    if (!error) return real(path, flags, mode);
    note("open", name + 1, error);
    errno = error;
    return -1;
}

#define MODE(flags, mode)                                                        \
    mode_t mode = 0;                                                             \
    if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) {               \
        va_list more;                                                            \
        va_start(more, flags);                                                   \
        mode = va_arg(more, mode_t);                                             \
        va_end(more);                                                            \
    }

int open(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened("open64", path, flags, mode);
}
