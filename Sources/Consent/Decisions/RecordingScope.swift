package import Identifiers

/// What a list of ends is about.
package enum RecordingScope: Hashable, Sendable {
    /// Acts that need consent to the purpose.
    case purpose(Purpose)
    /// Opens that need consent to ``Purpose/tracking``, as far as a no to ``Purpose/openTracking`` ends them. A
    /// recipient who said nothing about `open-tracking` is not on this list, whatever the enforcement.
    case refusedOpens
}
