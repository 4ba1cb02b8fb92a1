import CProcess
import Glibc

/// What the system may write to disk of this process when it dies.
enum CoreFiles {
    /// A core file would have every key in it, so there is none, whatever the limits and `core_pattern` say. Only root
    /// can attach a debugger then. What the process reads of itself in `/proc` stays readable to it.
    ///
    /// The Swift runtime's own report of a crash is off, too: it prints registers and pieces of the stack, and in a process
    /// that nobody may read it gets nowhere and swallows the first SIGABRT, which a watchdog may have sent.
    ///
    /// - Returns: whether the system agreed.
    static func forbid() -> Bool {
        for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { _ = signal(crash, SIG_DFL) }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let isLimited = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0
        return consentlink_forbid_dumps() == 0 && isLimited
    }
}
