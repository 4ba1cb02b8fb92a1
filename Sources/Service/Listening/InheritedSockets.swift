import Glibc

/// Listening sockets that a service manager made and passes to this process (sd_listen_fds(3)).
///
/// They come as descriptors from 3 on, with the names `public` and `private`; one without a name is the public
/// listener's. The manager keeps them open while one process ends and the next begins, so no connection is refused.
struct InheritedSockets {
    private static let first: CInt = 3

    private(set) var links: CInt?
    private(set) var api: CInt?

    /// - Parameter process: the id of this process; variables that are meant for another one are ignored.
    init(environment: [String: String], process: Int32 = getpid()) {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == process,
            let count = environment["LISTEN_FDS"].flatMap(Int.init), count > 0, count < 100
        else { return }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        for index in 0..<count {
            let descriptor = Self.first + CInt(index)
            switch index < names.count ? names[index] : "public" {
            case "private": api = api ?? descriptor
            case "public", "unknown", "consentlink.socket": links = links ?? descriptor
            default: break
            }
        }
        for descriptor in [links, api].compactMap(\.self) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
}
