/// Why a relay cannot start.
package enum RelayError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, with the system's reason if there is one.
    case folder(String)
    case inUse
    /// With the system's reason.
    case cannotLock(String)
    /// With the reason.
    case certificates(String)
    /// What is wrong with the certificates of authorities that the system trusts.
    case systemCertificates(String)
    case address(String)
    /// The system does not tell this machine's addresses, which the relay must not connect to.
    case interfaces

    package var description: String {
        switch self {
        case .folder(let what): "the relay's folder: \(what)"
        case .inUse: "the relay's folder is in use by another process"
        case .cannotLock(let reason): "the relay's folder cannot be locked: \(reason)"
        case .certificates(let reason): "the file of trusted certificates cannot be read as PEM: \(reason)"
        case .systemCertificates(let reason): "the certificates that this machine trusts: \(reason)"
        case .address(let what): what
        case .interfaces:
            "this machine's addresses cannot be read: let the relay use AF_NETLINK (RestrictAddressFamilies in its unit)"
        }
    }
}
