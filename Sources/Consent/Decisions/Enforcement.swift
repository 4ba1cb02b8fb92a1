/// What an organization holds to be permitted about somebody who has said nothing.
///
/// There is no third model that tracks somebody who said no.
package enum Enforcement: String, Hashable, Sendable, CaseIterable {
    /// Only whoever has given consent is tracked.
    case restrictive
    /// Whoever has not said no is tracked.
    case nonRestrictive
}
