/// One invalid part of a body: an entry of `errors` in a problem (RFC 9457).
package struct FieldProblem: Hashable, Sendable {
    package let pointer: JSONPointer
    /// What the value should be; never what it was.
    package let detail: String

    package init(_ pointer: JSONPointer, _ detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// All invalid parts of a body, at least one.
package struct BodyProblems: Error, Hashable, Sendable {
    package let problems: [FieldProblem]

    package init(_ pointer: JSONPointer, _ detail: String) {
        problems = [FieldProblem(pointer, detail)]
    }

    /// - Returns: `nil` if there is no problem.
    package init?(_ problems: [FieldProblem]) {
        guard !problems.isEmpty else { return nil }
        self.problems = problems
    }

    /// The problems of a part that is not in the body: each problem is at `pointer`, and its detail names the place in
    /// the part.
    /// - Parameter part: the name of the part, such as `the message`.
    package func within(_ part: String, at pointer: JSONPointer) -> BodyProblems {
        let details = problems.map { problem in
            let place = problem.pointer == .root ? part : "\(part)'s \(problem.pointer)"
            return FieldProblem(pointer, "\(place) \(problem.detail)")
        }
        return BodyProblems(details) ?? self
    }
}

extension JSONError {
    /// A duplicate member is valid JSON with invalid content: 422, while the other errors are 400.
    package var bodyProblems: BodyProblems? {
        guard case .duplicateMember(let pointer) = self else { return nil }
        return BodyProblems(pointer, "duplicate member")
    }
}
