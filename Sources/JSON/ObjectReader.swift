/// Takes the members of an object one by one and collects all problems.
///
///     try JSONShape.object { fields throws(BodyProblems) in
///         let name = fields.required("name", .string)
///         let badge = fields.optional("badge", .integer(in: 0...99))
///         let tracking = fields.optional("tracking", .bool, default: true)
///         try fields.finish()
///         return Message(name: try name.get(), badge: badge, tracking: tracking)
///     }
///
/// First every member is read, then ``finish()`` reports all problems together with all unknown members, and only then
/// the values are used: an optional member with a problem gives `nil` or its default.
package struct ObjectReader {
    package let pointer: JSONPointer

    private let object: JSONObject
    private var wasRead: [Bool]
    private var problems: [FieldProblem] = []
    private var takesUnknownMembers = false

    init(_ object: JSONObject, at pointer: JSONPointer) {
        self.object = object
        self.pointer = pointer
        wasRead = Array(repeating: false, count: object.count)
    }

    /// A required member; the failure is one that ``finish()`` throws, too.
    package mutating func required<Value>(_ name: String, _ shape: JSONShape<Value>) -> Result<Value, BodyProblems> {
        guard let value = take(name) else {
            return .failure(note(BodyProblems(pointer.appending(name), "is required")))
        }
        return read(value, of: name, as: shape)
    }

    /// A member that may be absent or `null`, which mean the same.
    package mutating func optional<Value>(_ name: String, _ shape: JSONShape<Value>) -> Value? {
        guard let value = take(name), value != .null else { return nil }
        return try? read(value, of: name, as: shape).get()
    }

    package mutating func optional<Value>(
        _ name: String,
        _ shape: JSONShape<Value>,
        default absent: @autoclosure () -> Value
    ) -> Value {
        optional(name, shape) ?? absent()
    }

    /// Adds a problem of several members together; must be called before ``finish()``.
    package mutating func refuse(_ name: String, _ detail: String) {
        problems.append(FieldProblem(pointer.appending(name), detail))
    }

    /// For senders that may be newer than this service: unknown members are ignored.
    package mutating func ignoreUnknownMembers() {
        takesUnknownMembers = true
    }

    /// Throws all problems found so far, and one for every unknown member.
    package mutating func finish() throws(BodyProblems) {
        if !takesUnknownMembers {
            for (member, wasRead) in zip(object.members, wasRead) where !wasRead {
                refuse(member.name, "unknown member")
            }
            takesUnknownMembers = true
        }
        if let problems = BodyProblems(problems) { throw problems }
    }

    private mutating func take(_ name: String) -> JSONValue? {
        guard let position = object.position(of: name) else { return nil }
        wasRead[position] = true
        return object.members[position].value
    }

    private mutating func read<Value>(
        _ value: JSONValue,
        of name: String,
        as shape: JSONShape<Value>
    ) -> Result<Value, BodyProblems> {
        do throws(BodyProblems) {
            return .success(try shape.read(value, at: pointer.appending(name)))
        } catch {
            return .failure(note(error))
        }
    }

    private mutating func note(_ found: BodyProblems) -> BodyProblems {
        problems += found.problems
        return found
    }
}
