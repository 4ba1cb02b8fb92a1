import Consent
import JSON

extension TooManyPurposes {
    /// The problems of a body that asks for too many purposes.
    /// - Parameter isList: whether the body is a list of records, not one.
    func problems(in records: [NewConsentRecord], isList: Bool) -> BodyProblems {
        problems(
            records.indices.filter { !records[$0].state.endsTracking && purposes.contains(records[$0].purpose) }
                .map { (isList ? JSONPointer.root.appending($0) : .root).appending("purpose") })
    }

    func problems(in request: NewConsentRequest) -> BodyProblems {
        let pointer = JSONPointer.root.appending("purposes")
        return problems(
            request.purposes.indices.filter { purposes.contains(request.purposes[$0]) }.map { pointer.appending($0) })
    }

    /// The problems of one line.
    var problemsOfLine: BodyProblems { problems([JSONPointer.root.appending("purpose")]) }

    private func problems(_ pointers: [JSONPointer]) -> BodyProblems {
        BodyProblems(pointers.map { FieldProblem($0, description) }) ?? BodyProblems(.root, description)
    }
}
