package import Identifiers

/// The pages on which recipients of an organization see what is recorded about them, and change it.
///
/// Both addresses are visible ASCII that neither JSON, HTML nor a URL's query has to escape.
package struct PreferencesPages: Hashable, Sendable {
    private let origin: PublicOrigin
    private let organization: OrganizationID

    /// - Parameter origin: the beginning of the service's addresses.
    package init(origin: PublicOrigin, organization: OrganizationID) {
        self.origin = origin
        self.organization = organization
    }

    /// The common page of all recipients who are not tracked: one address, which names no recipient.
    ///
    /// A slash protects an end that could be lost or be more than an address: mail programs take a final dot for the end
    /// of the sentence, and two hyphens end a comment together with the `>` behind an attribute without quotes.
    package var common: String {
        let id = organization.description.utf8
        let needsSlash = id.last == UInt8(ascii: ".") || id.suffix(2).elementsEqual("--".utf8)
        return "\(PublicPath.preferences.start(at: origin))\(organization)\(needsSlash ? "/" : "")"
    }

    /// The beginning of a tracked recipient's own address; the tracking ID of the message follows.
    package var ownPrefix: String { PublicPath.withdrawal.start(at: origin) }
}

extension BodyOutput {
    /// Appends the address of the page for the recipient.
    mutating func append(_ pages: PreferencesPages, isTracked: Bool) {
        guard isTracked else { return append(pages.common) }
        append(pages.ownPrefix)
        append(.trackingID(.message))
    }
}
