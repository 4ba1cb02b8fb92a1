import ASCII

/// The members of an object in the order in which they were written, without duplicate names.
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package let name: String
        package let value: JSONValue
    }

    /// Up to this many members a linear search is cheaper than hashing, and most objects have no more.
    private static let countWithoutIndex = 16

    package private(set) var members: [Member] = []
    /// The position of each name; empty while the object is small. Hashes have the process's own seed, so no client can
    /// cause collisions.
    private var positions: [ComparedByBytes: Int] = [:]

    package init() {}

    package var count: Int { members.count }
    var isEmpty: Bool { members.isEmpty }

    package subscript(name: String) -> JSONValue? {
        position(of: name).map { members[$0].value }
    }

    /// Adds a member at the end.
    ///
    /// - Returns: `false` if there is a member of that name already; the object is then unchanged.
    package mutating func append(_ name: String, _ value: JSONValue) -> Bool {
        guard position(of: name) == nil else { return false }
        members.append(Member(name: name, value: value))
        if members.count > Self.countWithoutIndex { indexNewMembers() }
        return true
    }

    func position(of name: String) -> Int? {
        positions.isEmpty
            ? members.firstIndex { $0.name.hasSameBytes(as: name) }
            : positions[ComparedByBytes(name)]
    }

    private mutating func indexNewMembers() {
        for position in positions.count..<members.count {
            positions[ComparedByBytes(members[position].name)] = position
        }
    }
}

extension JSONObject: Equatable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool { left.members == right.members }
}

extension JSONObject.Member: Equatable {
    package static func == (left: JSONObject.Member, right: JSONObject.Member) -> Bool {
        left.name.hasSameBytes(as: right.name) && left.value == right.value
    }
}
