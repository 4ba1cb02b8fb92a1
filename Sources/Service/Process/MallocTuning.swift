import CMalloc

/// Controls how the process takes memory from the system.
enum MallocTuning {
    /// By default, glibc keeps a heap for each thread, and keeps the memory of freed large arrays. The service has a
    /// few large things (revocation lists, batches) and many threads that wait, so both cost more than they save.
    static func apply() {
        mallopt(M_ARENA_MAX, 2)
        // An answer is written in buffers of 256 KiB; it would cost more to map pages for each than to fill it.
        mallopt(M_MMAP_THRESHOLD, 288 * 1024)
        mallopt(M_TRIM_THRESHOLD, 4 * 1024 * 1024)
    }
}
