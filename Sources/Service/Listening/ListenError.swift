import LocalFiles
import SystemPackage

/// A listener that cannot be opened.
struct ListenError: Error, CustomStringConvertible {
    let address: ListenAddress
    /// `listen`, `api-listen` or `console-listen`.
    let setting: String
    let reason: Reason

    enum Reason {
        case inUse
        case noSuchHost
        case other(String)
    }

    /// Why the last call of the system for this address failed.
    static func last(_ address: ListenAddress, setting: String) -> ListenError {
        let error = Errno.last
        return ListenError(
            address: address, setting: setting, reason: error == .addressInUse ? .inUse : .other("\(error)"))
    }

    var isInUse: Bool { if case .inUse = reason { true } else { false } }

    var description: String {
        switch reason {
        case .inUse: "address in use: \(address) (\(setting)); end the program that has it, or choose another address"
        case .noSuchHost: "no such host: \(address) (\(setting))"
        case .other(let text): "cannot listen on \(address) (\(setting)): \(text)"
        }
    }
}
