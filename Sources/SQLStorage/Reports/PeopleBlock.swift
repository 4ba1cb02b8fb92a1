import Consent
import Reports
import SQL

/// The reason under which each of 1,024 recipients of a message counts, in half a byte each.
struct PeopleBlock: Equatable {
    /// A power of two.
    static let size: Int64 = 1024

    /// The reasons by their codes, which fit into half a byte; 0 means that the recipient is not counted.
    private static let reasons: [DecisionReason?] = (0..<16).map { code in
        DecisionReason.allCases.first { $0.code == code }
    }

    private(set) var bytes: [UInt8]

    init() { bytes = [UInt8](repeating: 0, count: Int(Self.size) / 2) }

    /// - Parameter bytes: of another length, they give an empty block: a damaged block must not keep others from being
    ///   counted.
    init(bytes: [UInt8]) {
        self.init()
        if bytes.count == self.bytes.count { self.bytes = bytes }
    }

    /// The number of the block that a recipient is in.
    static func number(of recipient: Int64) -> Int64 { recipient >> size.trailingZeroBitCount }

    /// The reason for a recipient of this block.
    subscript(recipient: Int64) -> DecisionReason? {
        get { self[place: Int(recipient & (Self.size - 1))] }
        set {
            let place = Int(recipient & (Self.size - 1))
            let code = newValue?.code ?? 0
            bytes[place / 2] =
                place.isMultiple(of: 2) ? bytes[place / 2] & 0xF0 | code : bytes[place / 2] & 0x0F | code << 4
        }
    }

    /// The reason for the recipient at a place from 0 to 1,023.
    subscript(place place: Int) -> DecisionReason? {
        let pair = bytes[place / 2]
        return Self.reasons[Int(place.isMultiple(of: 2) ? pair & 0x0F : pair >> 4)]
    }

    /// How many recipients count under each reason.
    var counts: [DecisionReason: Int] {
        var ofCode = [Int](repeating: 0, count: 16)
        for byte in bytes where byte != 0 {
            ofCode[Int(byte & 0x0F)] += 1
            ofCode[Int(byte >> 4)] += 1
        }
        var counts: [DecisionReason: Int] = [:]
        for (code, count) in ofCode.enumerated() where count > 0 {
            if let reason = Self.reasons[code] { counts[reason] = count }
        }
        return counts
    }

    /// Adds the recipients of a later message: a recipient who is tracked in one message counts as tracked; for all
    /// others the later message decides.
    mutating func formUnion(_ later: PeopleBlock) {
        for place in later.bytes.indices where later.bytes[place] != 0 && later.bytes[place] != bytes[place] {
            bytes[place] =
                Self.union(bytes[place] & 0x0F, later.bytes[place] & 0x0F)
                | Self.union(bytes[place] >> 4, later.bytes[place] >> 4) << 4
        }
    }

    private static func union(_ code: UInt8, _ later: UInt8) -> UInt8 {
        guard let reason = reasons[Int(later)] else { return code }
        return ComposedPerson.reason(after: reasons[Int(code)], reason).code
    }
}
