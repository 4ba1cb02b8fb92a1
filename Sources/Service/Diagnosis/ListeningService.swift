import Foundation
import LocalFiles

/// The process that listens on a port of this machine, and its data folder, as far as the kernel shows them.
package struct ListeningService: Hashable, Sendable {
    package let process: Int32
    let folder: String

    package init(process: Int32, folder: String) {
        self.process = process
        self.folder = folder
    }

    /// - Parameter base: the URL of a listener.
    /// - Returns: `nil` if it is on another machine, if no process with a data folder listens there, if several do,
    ///   because `localhost` is two addresses, and if the process is not visible: it belongs to another user or another
    ///   container.
    package init?(at base: String) {
        guard let url = URL(string: base), let host = url.host() else { return nil }
        let sockets = Self.sockets(
            listeningAt: Self.addresses(of: host), port: url.port ?? (url.scheme == "https" ? 443 : 80))
        guard !sockets.isEmpty else { return nil }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let found = processes.compactMap { Int32($0) }.compactMap { process -> Self? in
            let files = Self.files(of: process)
            guard !sockets.isDisjoint(with: files) else { return nil }
            return Self.folder(of: process, among: files).map { Self(process: process, folder: $0) }
        }
        guard found.count == 1 else { return nil }
        self = found[0]
    }

    /// The addresses of sockets that `host` reaches, as in the kernel's tables: every address or the loopback, of IPv4,
    /// of IPv6, and of IPv4 in IPv6. Empty for a host that may be another machine.
    private static func addresses(of host: String) -> Set<String> {
        let four: Set = [
            "00000000", "0100007F", "00000000000000000000000000000000", "0000000000000000FFFF00000100007F",
        ]
        let six: Set = ["00000000000000000000000000000000", "00000000000000000000000001000000"]
        return switch host.lowercased() {
        case "127.0.0.1", "0.0.0.0": four
        case "::1", "[::1]", "::", "[::]": six
        case "localhost": four.union(six)
        default: []
        }
    }

    /// The sockets by the names that the kernel gives them among the files of a process: `socket:[1234]`.
    private static func sockets(listeningAt addresses: Set<String>, port: Int) -> Set<String> {
        let hexadecimal = String(port, radix: 16, uppercase: true)
        let ending = ":" + String(repeating: "0", count: max(4 - hexadecimal.count, 0)) + hexadecimal
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap(FileContent.text)
        // 0: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000 0 1234 …
        return Set(
            tables.flatMap { $0.split(separator: "\n") }.compactMap { line in
                let fields = line.split(separator: " ")
                guard fields.count > 9, fields[1].hasSuffix(ending), fields[3] == "0A",
                    addresses.contains(String(fields[1].dropLast(ending.count)))
                else { return nil }
                return "socket:[\(fields[9])]"
            })
    }

    private static func files(of process: Int32) -> Set<String> {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") })
    }

    /// The folder whose lock file the process has open and has written its number into.
    private static func folder(of process: Int32, among files: Set<String>) -> String? {
        let ending = "/\(FolderFile.lock)"
        return files.lazy.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
            .first { FolderLock.process(in: $0) == process }
    }
}
