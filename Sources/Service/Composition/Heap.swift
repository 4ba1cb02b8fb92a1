import CMalloc

/// How the process takes memory from the system.
enum Heap {
    /// Left alone, glibc keeps a heap for each thread, and keeps what large arrays gave back. The service has a few
    /// large things (revocation lists, batches) and many threads that wait, so both cost it more than they save.
    static func keepSmall() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, 256 * 1024)
        mallopt(M_TRIM_THRESHOLD, 1024 * 1024)
    }
}
