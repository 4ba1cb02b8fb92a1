/// How an organization treats a recipient who has said nothing.
///
/// No enforcement permits tracking a recipient who said no.
package enum Enforcement: String, Hashable, Sendable, CaseIterable {
    /// Only recipients who have given consent are tracked.
    case restrictive
    /// All recipients are tracked except those who said no.
    case nonRestrictive
}
