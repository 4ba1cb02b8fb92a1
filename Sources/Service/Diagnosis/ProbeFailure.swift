/// Why something that was asked without a key has not answered.
package enum ProbeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its certificate is of no authority that is trusted here.
    case untrustedCertificate
    /// Its certificate is for another host.
    case otherName
    /// There was no answer. Says why, such as "connection refused".
    case unreachable(reason: String)

    package var description: String {
        switch self {
        case .untrustedCertificate: "its certificate is not trusted"
        case .otherName: "its certificate is for another host"
        case .unreachable(let reason): reason
        }
    }
}
