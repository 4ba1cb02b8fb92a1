package import Identifiers

/// What the link of a consent request says to the holder of the key: this request, this page of it.
///
/// Its sealed form is specified in `docs/formats/consent-request-link.md`.
package struct ConsentRequestLink: Hashable, Sendable {
    package let request: ConsentRequestID
    package let step: ConsentRequestStep
    /// From when on the page takes no answer.
    package let expiry: LinkExpiry

    package init(request: ConsentRequestID, step: ConsentRequestStep, expiry: LinkExpiry) {
        self.request = request
        self.step = step
        self.expiry = expiry
    }
}
