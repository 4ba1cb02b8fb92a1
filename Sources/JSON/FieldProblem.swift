/// One thing in a body that does not fit: an entry of `errors` in a problem (RFC 9457).
package struct FieldProblem: Hashable, Sendable {
    package let pointer: JSONPointer
    /// What the value should be; never what it was.
    package let detail: String

    package init(_ pointer: JSONPointer, _ detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// Everything in a body that does not fit, at least one thing.
package struct BodyProblems: Error, Hashable, Sendable {
    package let problems: [FieldProblem]

    package init(_ pointer: JSONPointer, _ detail: String) {
        problems = [FieldProblem(pointer, detail)]
    }

    /// - Returns: `nil` when there is no problem.
    package init?(_ problems: [FieldProblem]) {
        guard !problems.isEmpty else { return nil }
        self.problems = problems
    }

    /// The same of a part that stands elsewhere: each problem is at `pointer`, and its detail says where in the part.
    /// - Parameter part: what the part is called, such as `the message`.
    package func within(_ part: String, at pointer: JSONPointer) -> BodyProblems {
        let details = problems.map { problem in
            let place = problem.pointer == .root ? part : "\(part)'s \(problem.pointer)"
            return FieldProblem(pointer, "\(place) \(problem.detail)")
        }
        return BodyProblems(details) ?? self
    }
}

extension JSONError {
    /// A duplicate member is JSON, which does not fit: 422 where the other errors are 400.
    package var bodyProblems: BodyProblems? {
        guard case .duplicateMember(let pointer) = self else { return nil }
        return BodyProblems(pointer, "duplicate member")
    }
}
