import Identifiers

extension ActivityCounter {
    /// The numbers under which it is stored. They never change.
    package var code: (series: Int64, key: Int64) {
        switch self {
        case .kind(let kind): (1, Int64(kind.code))
        case .link(let link): (2, Int64(link.rawValue))
        case .opens(let visitor): (3, Int64(visitor.code))
        case .clicksOnDay(let day): (4, day.number)
        case .opensOnDay(let day): (5, day.number)
        case .clicksInHour(let hour): (6, Int64(hour))
        case .opensInHour(let hour): (7, Int64(hour))
        case .uncounted: (8, 0)
        }
    }

    /// Reads a counter by its numbers; `nil` for numbers that no version of the service writes.
    package init?(series: Int64, key: Int64) {
        switch series {
        case 1:
            guard let kind = UInt8(exactly: key).flatMap(InteractionKind.init(code:)) else { return nil }
            self = .kind(kind)
        case 2:
            guard let link = UInt16(exactly: key) else { return nil }
            self = .link(LinkIndex(rawValue: link))
        case 3:
            guard let visitor = VisitorClass.allCases.first(where: { Int64($0.code) == key }) else { return nil }
            self = .opens(visitor)
        case 4, 5:
            guard let day = CalendarDay(stored: key) else { return nil }
            self = series == 4 ? .clicksOnDay(day) : .opensOnDay(day)
        case 6, 7:
            guard let hour = Int(exactly: key), (0..<Self.hours).contains(hour) else { return nil }
            self = series == 6 ? .clicksInHour(hour) : .opensInHour(hour)
        case 8: self = .uncounted
        default: return nil
        }
    }
}

/// The drain counts each click under five counters, in a dictionary. Comparing and hashing one word takes a fraction of
/// the time that the functions take which the compiler makes for the cases.
extension ActivityCounter {
    package static func == (one: Self, other: Self) -> Bool { one.word == other.word }

    package func hash(into hasher: inout Hasher) { hasher.combine(word) }

    package func _rawHashValue(seed: Int) -> Int { word._rawHashValue(seed: seed) }

    /// Another number for each counter: the series has four bits, and the key of a day of service time fewer than 60.
    private var word: Int64 {
        let (series, key) = code
        return key << 4 | series
    }
}

extension VisitorClass {
    /// The number under which it is stored. Never changes.
    fileprivate var code: UInt8 {
        switch self {
        case .person: 1
        case .cannotTell: 2
        case .machine: 3
        }
    }
}
