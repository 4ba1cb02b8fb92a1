extension JSONShape {
    /// An array; the problems of all its elements are collected, unless their number is outside `count`.
    package static func array<Element>(
        of shape: JSONShape<Element>,
        count: ClosedRange<Int> = 0...Int.max
    ) -> JSONShape where Value == [Element] {
        JSONShape { value, pointer throws(BodyProblems) in
            guard case .array(let elements) = value else { throw BodyProblems(pointer, "must be an array") }
            guard count.contains(elements.count) else {
                throw BodyProblems(pointer, "must have \(phrase(for: count)) elements")
            }
            var collector = ElementCollector(shape: shape, count: elements.count)
            for (index, element) in elements.enumerated() {
                collector.add(element, at: pointer.appending(index))
            }
            return try collector.finish()
        }
    }

    /// An object whose member names are chosen by the sender, as pairs in the order in which they were written.
    package static func members<Element>(
        of shape: JSONShape<Element>
    ) -> JSONShape where Value == [(name: String, value: Element)] {
        JSONShape { value, pointer throws(BodyProblems) in
            guard case .object(let object) = value else { throw BodyProblems(pointer, "must be an object") }
            var collector = ElementCollector(shape: shape, count: object.count)
            for member in object.members {
                collector.add(member.value, at: pointer.appending(member.name))
            }
            let values = try collector.finish()
            return zip(object.members, values).map { ($0.name, $1) }
        }
    }
}

/// Reads elements of one shape and keeps every problem, not only the first.
private struct ElementCollector<Element> {
    let shape: JSONShape<Element>
    private var elements: [Element] = []
    private var problems: [FieldProblem] = []

    init(shape: JSONShape<Element>, count: Int) {
        self.shape = shape
        elements.reserveCapacity(count)
    }

    mutating func add(_ value: JSONValue, at pointer: JSONPointer) {
        do throws(BodyProblems) {
            elements.append(try shape.read(value, at: pointer))
        } catch {
            problems += error.problems
        }
    }

    func finish() throws(BodyProblems) -> [Element] {
        if let problems = BodyProblems(problems) { throw problems }
        return elements
    }
}

private func phrase(for count: ClosedRange<Int>) -> String {
    switch (count.lowerBound, count.upperBound) {
    case (let least, Int.max): "at least \(least)"
    case (0, let most): "at most \(most)"
    case (let least, let most): "\(least) to \(most)"
    }
}
