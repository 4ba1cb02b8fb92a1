import CProcess
import Glibc

/// Controls what the system writes to disk when this process crashes.
enum CoreFiles {
    /// A core file would contain every key, so this forbids one, independent of the limits and of `core_pattern`. Then
    /// only root can attach a debugger. The process can still read its own files in `/proc`.
    ///
    /// This also switches off the Swift runtime's own crash report: it prints registers and parts of the stack. In a
    /// process that no other may read, it fails. Then the first SIGABRT, which a watchdog may have sent, has no effect.
    ///
    /// - Returns: whether the system accepted it.
    static func forbid() -> Bool {
        for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { _ = signal(crash, SIG_DFL) }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let isLimited = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0
        return consentlink_forbid_dumps() == 0 && isLimited
    }
}
