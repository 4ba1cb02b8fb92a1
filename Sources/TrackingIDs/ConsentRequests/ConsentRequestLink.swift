package import Identifiers

/// The content of a consent request's link, for a holder of the key: this request, and this page of it.
///
/// Its sealed form is specified in `docs/formats/consent-request-link.md`.
package struct ConsentRequestLink: Hashable, Sendable {
    package let request: ConsentRequestID
    package let step: ConsentRequestStep
    /// From this time on the page accepts no answer.
    let expiry: LinkExpiry

    package init(request: ConsentRequestID, step: ConsentRequestStep, expiry: LinkExpiry) {
        self.request = request
        self.step = step
        self.expiry = expiry
    }
}
