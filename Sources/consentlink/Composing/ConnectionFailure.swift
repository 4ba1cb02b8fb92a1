import Foundation
import NIOCore
import NIOPosix

extension Error {
    /// Whether no connection came about, by any of the addresses of the host.
    var isConnectionFailure: Bool { self is NIOConnectionError }

    /// Why the first of the addresses was not reached; `nil` where the host has none.
    var firstConnectionFailure: (any Error)? { (self as? NIOConnectionError)?.connectionErrors.first?.error }

    /// What the system says of it, in the words of a sentence; `nil` where it is no error of the system.
    var systemText: String? {
        guard let error = self as? IOError else { return nil }
        let text = String(cString: strerror(error.errnoCode))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
