/// What a recipient counts as having done with a message, for reports about several messages.
enum Response: Int64, CaseIterable {
    case clicked = 1
    case opened = 2
    /// May have opened it: it cannot be told.
    case mayHaveOpened = 3
}

/// Some of the responses, in one byte.
struct ResponseSet: Hashable, Sendable {
    private var bits: UInt8 = 0

    init() {}

    var isEmpty: Bool { bits == 0 }

    func contains(_ response: Response) -> Bool { bits & Self.bit(response) != 0 }

    mutating func insert(_ response: Response) { bits |= Self.bit(response) }

    private static func bit(_ response: Response) -> UInt8 { 1 << UInt8(response.rawValue) }
}
