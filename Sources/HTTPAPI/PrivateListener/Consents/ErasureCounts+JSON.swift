import Consent
import JSON

extension JSONWriter {
    /// How much was erased.
    mutating func members(of erasure: ErasureCounts) {
        member("consents", erasure.consents)
        member("decisions", erasure.decisions)
        member("interactions", erasure.interactions)
    }
}
