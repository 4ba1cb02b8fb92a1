import Identifiers
import Interactions
import TestSupport
import Testing

/// What every `ClickSpool` promises.
package enum ClickSpoolContract {
    private static let message = MessageID(TimeOrderedNumber(known: 1 << 60))

    private static func batch(_ count: Int, _ random: inout SeededGenerator) -> [Occurrence] {
        let references = (0..<5).map { _ in RecipientReference(using: &random) }
        return (0..<count).compactMap { _ in Occurrence.random(of: [message], by: references, &random) }
    }

    package static let promises: [SpoolPromise] = [
        SpoolPromise("what was appended is read back in order, each with an id of its own") { spool in
            var random = SeededGenerator(seed: 2)
            let batches = [1, 3, 200].map { batch($0, &random) }
            for batch in batches { _ = try spool.append(batch) }
            let reading = try spool.read(after: .start, limit: 1000)
            #expect(reading.occurrences.map(\.occurrence) == batches.flatMap(\.self))
            let ids = reading.occurrences.map(\.id)
            #expect(ids == ids.sorted())
            #expect(Set(ids).count == 204)
        },
        SpoolPromise("positions grow, and reading goes on where it left off") { spool in
            var random = SeededGenerator(seed: 2)
            let positions = try (0..<10).map { _ in try spool.append(batch(3, &random)) }
            #expect(positions == positions.sorted())
            #expect(Set(positions).count == 10)
            var (position, read) = (SpoolPosition.start, 0)
            while true {
                let reading = try spool.read(after: position, limit: 4)
                read += reading.occurrences.count
                guard reading.position != position else { break }
                #expect(reading.occurrences.count == 6)
                position = reading.position
            }
            #expect(read == 30)
            #expect(position == positions.last)
        },
        SpoolPromise("an empty spool gives nothing and stays where it is") { spool in
            let reading = try spool.read(after: .start, limit: 10)
            #expect(reading.occurrences.isEmpty)
            #expect(reading.position == .start)
        },
        SpoolPromise("what is removed is not read again, what came later is") { spool in
            var random = SeededGenerator(seed: 4)
            let first = try spool.append(batch(2, &random))
            let later = batch(2, &random)
            _ = try spool.append(later)
            try spool.remove(through: first)
            #expect(try spool.read(after: .start, limit: 99).occurrences.map(\.occurrence) == later)
            let last = batch(1, &random)
            _ = try spool.append(last)
            try spool.eraseResiduals()
            #expect(try spool.read(after: .start, limit: 99).occurrences.map(\.occurrence) == later + last)
        },
        SpoolPromise(
            "what is set aside keeps its ids, stays when its batch is removed, and is not read with the others"
        ) {
            spool in
            var random = SeededGenerator(seed: 5)
            let first = try spool.append(batch(3, &random))
            let second = try spool.append(batch(2, &random))
            let read = try spool.read(after: .start, limit: 3).occurrences
            try spool.park(Array(read.prefix(2)), at: first)
            try spool.park(try spool.read(after: first, limit: 9).occurrences, at: second)
            try spool.remove(through: second)
            try spool.eraseResiduals()
            #expect(try spool.read(after: .start, limit: 9).occurrences.isEmpty)
            let parked = try #require(try spool.parked(after: .start))
            #expect(parked.position == first && parked.occurrences == Array(read.prefix(2)))
            try spool.park([], at: first)
            let rest = try #require(try spool.parked(after: .start))
            #expect(rest.position == second && rest.occurrences.count == 2)
            try spool.park(Array(rest.occurrences.suffix(1)), at: second)
            #expect(try spool.parked(after: .start)?.occurrences == Array(rest.occurrences.suffix(1)))
            #expect(try spool.parked(after: second) == nil)
        },
        SpoolPromise("removing what is removed, or more than there is, does no harm") { spool in
            var random = SeededGenerator(seed: 4)
            let position = try spool.append(batch(2, &random))
            try spool.remove(through: SpoolPosition(rawValue: .max))
            try spool.remove(through: position)
            try spool.remove(through: .start)
            #expect(try spool.read(after: .start, limit: 9).occurrences.isEmpty)
            let next = batch(1, &random)
            _ = try spool.append(next)
            #expect(try spool.read(after: .start, limit: 9).occurrences.map(\.occurrence) == next)
        },
        SpoolPromise("nothing is appended for nothing") { spool in
            var random = SeededGenerator(seed: 4)
            let position = try spool.append(batch(2, &random))
            #expect(try spool.append([]) == position)
        },
        SpoolPromise("reading goes on beside appending and misses nothing") { spool in
            var random = SeededGenerator(seed: 8)
            let batches = (0..<100).map { _ in batch(5, &random) }
            async let appended: Void = Task.detached {
                for batch in batches { _ = try spool.append(batch) }
            }.value
            var (position, read) = (SpoolPosition.start, [Occurrence]())
            while read.count < 500 {
                let reading = try spool.read(after: position, limit: 20)
                read += reading.occurrences.map(\.occurrence)
                position = reading.position
                await Task.yield()
            }
            try await appended
            #expect(read == batches.flatMap(\.self))
        },
    ]
}
