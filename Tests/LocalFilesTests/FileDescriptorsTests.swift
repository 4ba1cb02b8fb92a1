import Glibc
import LocalFiles
import Testing

/// How many files the process may have open.
@Suite struct FileDescriptorsTests {
    @Test("the process takes all descriptors that it may have, and no more each time")
    func raise() {
        let first = FileDescriptors.raise()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #expect(limit.rlim_cur == limit.rlim_max && Int(clamping: limit.rlim_cur) == first)
        #expect(FileDescriptors.raise() == first)
    }
}
