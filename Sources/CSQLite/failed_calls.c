#define _GNU_SOURCE
#include "consentlink_sqlite.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

#include <sqlite3.h>

// SQLite calls the system through a table of its file system layer, in which these functions take the place of the
// system's own. They only note why a call failed.

typedef int (*open_call)(const char *, int, int);
typedef ssize_t (*read_call)(int, void *, size_t);
typedef ssize_t (*pread_call)(int, void *, size_t, off_t);
typedef ssize_t (*pread64_call)(int, void *, size_t, off64_t);
typedef ssize_t (*write_call)(int, const void *, size_t);
typedef ssize_t (*pwrite_call)(int, const void *, size_t, off_t);
typedef ssize_t (*pwrite64_call)(int, const void *, size_t, off64_t);

static open_call real_open;
static read_call real_read;
static pread_call real_pread;
static pread64_call real_pread64;
static write_call real_write;
static pwrite_call real_pwrite;
static pwrite64_call real_pwrite64;

static _Atomic int open_error;
static _Atomic int read_error;
static _Atomic int write_error;

// SQLite looks for files that need not be there, also after it could not make one.
static int noting_open(const char *path, int flags, int mode) {
    int file = real_open(path, flags, mode);
    if (file >= 0) {
        atomic_store_explicit(&open_error, 0, memory_order_relaxed);
    } else if (errno != EINTR && errno != ENOENT) {
        atomic_store_explicit(&open_error, errno, memory_order_relaxed);
    }
    return file;
}

static ssize_t noted(ssize_t result, _Atomic int *last) {
    // SQLite repeats an interrupted call, and a folder is no file that failed.
    if (result < 0 && errno != EINTR && errno != EISDIR) atomic_store_explicit(last, errno, memory_order_relaxed);
    return result;
}

static ssize_t noting_read(int file, void *bytes, size_t count) {
    return noted(real_read(file, bytes, count), &read_error);
}

static ssize_t noting_pread(int file, void *bytes, size_t count, off_t offset) {
    return noted(real_pread(file, bytes, count, offset), &read_error);
}

static ssize_t noting_pread64(int file, void *bytes, size_t count, off64_t offset) {
    return noted(real_pread64(file, bytes, count, offset), &read_error);
}

static ssize_t noting_write(int file, const void *bytes, size_t count) {
    return noted(real_write(file, bytes, count), &write_error);
}

static ssize_t noting_pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return noted(real_pwrite(file, bytes, count, offset), &write_error);
}

static ssize_t noting_pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    return noted(real_pwrite64(file, bytes, count, offset), &write_error);
}

bool cl_sqlite_note_failed_calls(void) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    if (!vfs || vfs->iVersion < 3 || !vfs->xSetSystemCall || !vfs->xGetSystemCall) return false;
    // A call that this build of SQLite does not use has no pointer in the table.
#define NOTE(name)                                                                                \
    real_##name = (name##_call)vfs->xGetSystemCall(vfs, #name);                                   \
    if (real_##name && vfs->xSetSystemCall(vfs, #name, (sqlite3_syscall_ptr)noting_##name) != SQLITE_OK) return false
    NOTE(open);
    NOTE(read);
    NOTE(pread);
    NOTE(pread64);
    NOTE(write);
    NOTE(pwrite);
    NOTE(pwrite64);
#undef NOTE
    return true;
}

int cl_sqlite_open_error(void) { return atomic_load_explicit(&open_error, memory_order_relaxed); }

int cl_sqlite_read_error(void) { return atomic_load_explicit(&read_error, memory_order_relaxed); }

int cl_sqlite_write_error(void) { return atomic_load_explicit(&write_error, memory_order_relaxed); }
