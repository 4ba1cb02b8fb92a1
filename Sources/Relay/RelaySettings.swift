import Identifiers
import Webhooks

/// The settings of a relay.
package struct RelaySettings: Sendable {
    /// The address of a service's private listener.
    let service: String
    /// An organization, and a key of it with the scope `deliver`.
    let keys: [(organization: String, key: String)]
    /// The relay's own folder.
    let folder: String
    /// Hosts that the operator allows by name, in lower case: also over http, and with any addresses.
    let allowedHosts: Set<String>
    /// A file of certificates in PEM that are trusted in addition to those of the system; `nil` for none.
    let trustedCertificates: String?

    package init(
        service: String, keys: [(organization: String, key: String)], folder: String, allowedHosts: Set<String>,
        trustedCertificates: String?
    ) {
        self.service = service
        self.keys = keys
        self.folder = folder
        self.allowedHosts = allowedHosts
        self.trustedCertificates = trustedCertificates
    }

    /// A host as the URLs of endpoints name it.
    /// - Returns: `nil` if no URL can name it: a URL, a host with a port, a pattern.
    package static func host(_ text: String) -> String? {
        let host = text.lowercased()
        return (try? EndpointURL("https://\(host)/"))?.hostName == host ? host : nil
    }

    /// Reads lines of an organization and a key, with white space in between.
    /// - Returns: `nil` if a line has another form, or if there is none.
    package static func keys(in text: String) -> [(organization: String, key: String)]? {
        var keys: [(organization: String, key: String)] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count == 2, words[1].hasPrefix("clk_"), (try? OrganizationID(words[0])) != nil else {
                return nil
            }
            keys.append((words[0], words[1]))
        }
        return keys.isEmpty ? nil : keys
    }
}
