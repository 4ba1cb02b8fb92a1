/// Why there was no answer to a request without a key.
package enum ProbeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its certificate is of an authority that is not trusted here.
    case untrustedCertificate
    /// Its certificate is for another host.
    case otherName
    /// There was no answer. Has the reason, such as "connection refused".
    case unreachable(reason: String)

    package var description: String {
        switch self {
        case .untrustedCertificate: "its certificate is not trusted"
        case .otherName: "its certificate is for another host"
        case .unreachable(let reason): reason
        }
    }
}
