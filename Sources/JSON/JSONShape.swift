import ASCII

/// The rules for a value, and its conversion.
///
/// Shapes are combined like the documents they read: `.array(of: .string(RecipientID.init), count: 1...10_000)`.
package struct JSONShape<Value> {
    private let make: (JSONValue, JSONPointer) throws(BodyProblems) -> Value

    /// A shape of the caller; the pointer is the place of the value, for its problems.
    package init(_ make: @escaping (JSONValue, JSONPointer) throws(BodyProblems) -> Value) {
        self.make = make
    }

    /// - Parameter pointer: the place of `value` in the body, for its problems.
    /// - Throws: the problems of the value.
    package func read(_ value: JSONValue, at pointer: JSONPointer = .root) throws(BodyProblems) -> Value {
        try make(value, pointer)
    }
}

extension JSONShape {
    /// A string that is converted by `make`: the error's description becomes the problem's detail, so it must say what
    /// is allowed and must not repeat the given string.
    package static func string<Failure: Error & CustomStringConvertible>(
        _ make: @escaping (String) throws(Failure) -> Value
    ) -> JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try JSONShape<String>.string.read(value, at: pointer)
            do throws(Failure) {
                return try make(text)
            } catch {
                throw BodyProblems(pointer, error.description)
            }
        }
    }

    /// An object that is read field by field. Unknown members are refused even if `read` does not call `finish()`.
    package static func object(_ read: @escaping (inout ObjectReader) throws(BodyProblems) -> Value) -> JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            guard case .object(let object) = value else { throw BodyProblems(pointer, "must be an object") }
            var reader = ObjectReader(object, at: pointer)
            let made = try read(&reader)
            try reader.finish()
            return made
        }
    }
}

extension JSONShape where Value == JSONValue {
    /// Any value.
    package static var any: JSONShape { JSONShape { value, _ in value } }
}

extension JSONShape where Value == String {
    package static var string: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            guard case .string(let text) = value else { throw BodyProblems(pointer, "must be a string") }
            return text
        }
    }
}

extension JSONShape where Value == Bool {
    package static var bool: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            guard case .bool(let bool) = value else { throw BodyProblems(pointer, "must be true or false") }
            return bool
        }
    }
}

extension JSONShape where Value: FixedWidthInteger {
    /// A number that is written as an integer: `2`, not `2.0`.
    package static func integer(in range: ClosedRange<Value>) -> JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            guard case .number(let number) = value, let integer = number.integer(as: Value.self),
                range.contains(integer)
            else { throw BodyProblems(pointer, "must be an integer from \(range.lowerBound) to \(range.upperBound)") }
            return integer
        }
    }
}

extension JSONShape where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the names of an enum's cases.
    package static var choice: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            guard case .string(let text) = value,
                let choice = Value.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) })
            else {
                let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
                throw BodyProblems(pointer, "must be one of \(names)")
            }
            return choice
        }
    }
}
