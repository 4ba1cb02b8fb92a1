import Consent
import JSON

extension NewConsentRecord {
    /// Refuses a given consent without the evidence that its organization requires.
    ///
    /// - Parameter pointer: the place of the record.
    func requireEvidence(at pointer: JSONPointer = .root) throws(BodyProblems) {
        let problems = missingEvidence.map { missing in
            FieldProblem(pointer.appending("evidence").appending(missing.member), missing.detail)
        }
        if let problems = BodyProblems(problems) { throw problems }
    }
}

extension RequiredEvidence {
    fileprivate var member: String {
        switch self {
        case .method: "method"
        case .notice: "notice"
        }
    }

    fileprivate var detail: String {
        switch self {
        case .method: "is required of a given consent in this organization"
        case .notice: "is required of a given consent in this organization, with an id or a sha256"
        }
    }
}
