import Glibc

/// Listening sockets that were open before this program began: its own from before a restart (``ProcessReplacement``),
/// or those that a service manager passes (sd_listen_fds(3)).
///
/// A manager's come as descriptors from 3 on, with the names `public`, `private` and `console`; one without a name is
/// the public listener's. The manager keeps them open while one process ends and the next begins, so no connection is
/// refused.
struct InheritedSockets {
    /// The variable with the program's own sockets: `public=NUMBER:private=NUMBER:console=NUMBER`, and behind them the
    /// parts of ``InheritedLock`` and of ``RecoveryAttempts``.
    static let variable = ServiceSettings.socketsVariable
    private static let first: CInt = 3

    private(set) var publicListener: CInt?
    private(set) var privateListener: CInt?
    private(set) var console: CInt?
    /// The names of the sockets that a service manager passes and no listener takes: a name that is not known, and the
    /// second of a name. Connections to them would never be accepted.
    private(set) var surplus: [String] = []
    /// The descriptors that a service manager passed, including those from before a restart.
    private let passed: Range<CInt>

    /// - Parameter process: the id of this process; variables that are meant for another one are ignored.
    init(environment: [String: String], process: Int32 = getpid()) {
        passed = Self.passed(in: environment, process: process)
        if let own = environment[Self.variable] {
            for part in HandedOver.parts(of: own) {
                guard let descriptor = CInt(exactly: part.number), Self.isListening(descriptor) else { continue }
                switch part.name {
                case "public": publicListener = descriptor
                case "private": privateListener = descriptor
                case "console": console = descriptor
                default: break
                }
            }
            closeOnExec()
            return
        }
        guard !passed.isEmpty else { return }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        for (index, descriptor) in passed.enumerated() {
            let name = index < names.count && !names[index].isEmpty ? names[index] : "public"
            switch name {
            case "private" where privateListener == nil: privateListener = descriptor
            case "console" where console == nil: console = descriptor
            case "public" where publicListener == nil, "unknown" where publicListener == nil,
                "consentlink.socket" where publicListener == nil:
                publicListener = descriptor
            default: surplus.append(String(name))
            }
        }
        closeOnExec()
    }

    /// The descriptors that a service manager passed to this process.
    static func passed(in environment: [String: String], process: Int32) -> Range<CInt> {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == process,
            let count = environment["LISTEN_FDS"].flatMap(CInt.init), (1..<100).contains(count)
        else { return 0..<0 }
        return first..<first + count
    }

    /// One of the sockets, for a listener.
    func socket(_ descriptor: CInt?) -> ListeningSocket? {
        descriptor.map { ListeningSocket(inherited: $0, isPassed: passed.contains($0)) }
    }

    private func closeOnExec() {
        for descriptor in [publicListener, privateListener, console].compactMap(\.self) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// The operator may have set the variable by hand.
    private static func isListening(_ descriptor: CInt) -> Bool {
        var (answer, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &answer, &size) == 0 && answer != 0
    }
}
