import CMalloc

/// How the process takes memory from the system.
enum MallocTuning {
    /// Left alone, glibc keeps a heap for each thread, and keeps what large arrays gave back. The service has a few
    /// large things (revocation lists, batches) and many threads that wait, so both cost it more than they save.
    static func apply() {
        mallopt(M_ARENA_MAX, 2)
        // An answer is written in buffers of 256 KiB; each with pages of its own would cost more than to fill it.
        mallopt(M_MMAP_THRESHOLD, 288 * 1024)
        mallopt(M_TRIM_THRESHOLD, 4 * 1024 * 1024)
    }
}
