/// How much a write has to do, which decides when it is taken.
enum WriteLoad: Hashable, Sendable {
    /// A few rows: a change of the rules, a key, a message. Is taken before all bulk, even if bulk has waited longer.
    case short
    /// Decisions, clicks or imports, with about this number of rows.
    case bulk(rows: Int)
}

/// The waiting writes. It chooses which of them the next transaction takes.
///
/// A withdrawal has no effect before its commit. So short writes never share a transaction with bulk, and one
/// transaction takes a bounded amount of bulk.
struct WriteQueue: ~Copyable {
    /// The greatest number of rows of bulk in one transaction, unless a single write has more.
    let maximumRowCount: Int
    private var short: [any WriteRequest] = []
    private var bulk: [any WriteRequest] = []

    init(maximumRowCount: Int) { self.maximumRowCount = maximumRowCount }

    enum Kind: Hashable {
        case short
        case bulk
    }

    static func kind(of request: any WriteRequest) -> Kind {
        if case .bulk = request.load { .bulk } else { .short }
    }

    mutating func append(_ request: any WriteRequest) {
        switch Self.kind(of: request) {
        case .short: short.append(request)
        case .bulk: bulk.append(request)
        }
    }

    func count(_ kind: Kind) -> Int {
        switch kind {
        case .short: short.count
        case .bulk: bulk.count
        }
    }

    /// The writes for the next transaction of a kind, the oldest first: up to the first write that must be alone.
    mutating func dequeue(_ kind: Kind) -> [any WriteRequest] {
        switch kind {
        case .short: return dequeue(short.count, of: .short)
        case .bulk:
            var rows = 0
            let end = bulk.firstIndex { request in
                if case .bulk(let more) = request.load { rows += more }
                return rows > maximumRowCount
            }
            return dequeue(max(end ?? bulk.count, 1), of: .bulk)
        }
    }

    private mutating func dequeue(_ most: Int, of kind: Kind) -> [any WriteRequest] {
        let waiting = kind == .short ? short : bulk
        let end = waiting.firstIndex(where: \.isAlone) ?? waiting.count
        return dequeueFirst(min(most, max(end, 1)), of: kind)
    }

    /// The first writes of a kind.
    mutating func dequeueFirst(_ count: Int, of kind: Kind) -> [any WriteRequest] {
        switch kind {
        case .short:
            defer { short.removeFirst(min(count, short.count)) }
            return Array(short.prefix(count))
        case .bulk:
            defer { bulk.removeFirst(min(count, bulk.count)) }
            return Array(bulk.prefix(count))
        }
    }
}
