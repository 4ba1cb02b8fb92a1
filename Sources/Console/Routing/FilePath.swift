/// The addresses of the console's files. A browser saves a file as soon as it is led there.
enum FilePath: String, CaseIterable, Sendable {
    case ledgerExport = "/orgs/{org}/ledger/export"
    case personExport = "/orgs/{org}/person/{case}/export"
    case decisionProof = "/orgs/{org}/person/{case}/decisions/{id}/proof"
    case consentProof = "/orgs/{org}/person/{case}/consents/{id}/proof"

    /// - Parameter segments: what is between the slashes of a path.
    func matches(_ segments: [Substring]) -> Bool {
        let pattern = rawValue.split(separator: "/")
        return pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}
