import Glibc
import LocalFiles
import Testing

/// How large a file the process may write.
@Suite struct FileSizesTests {
    @Test("a limit that the process may raise is raised, and no limit is none")
    func raise() {
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        let hard = limit.rlim_max
        // Large enough for whatever other tests write meanwhile.
        limit.rlim_cur = min(hard, 1 << 40)
        setrlimit(resource, &limit)
        #expect(FileSizes.raise() == (hard == .max ? nil : UInt64(hard)))
        getrlimit(resource, &limit)
        #expect(limit.rlim_cur == hard)
    }
}
