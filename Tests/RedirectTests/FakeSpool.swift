import Foundation
import Identifiers
import Interactions
import Synchronization

@testable import Redirect

/// A spool in memory, whose disk can be stuck or broken.
final class FakeSpool: ClickSpool {
    enum Event: Equatable {
        case append(count: Int)
        case remove(SpoolPosition)
        case eraseResiduals
    }

    private struct State {
        var batches: [(position: SpoolPosition, occurrences: [SpooledOccurrence])] = []
        var parked: [SpoolPosition: [SpooledOccurrence]] = [:]
        var damagedParked: [SpoolPosition: Int] = [:]
        var last: Int64 = 0
        var nextID: UInt64 = 1
        var isBroken = false
        var isStuck = false
        var isAppending = false
        var removalsToFail = 0
        var parkingsToFail = 0
        var certainty = SpooledOccurrence.Certainty.judged
        var idsFrom: UInt64 = 0
        var events: [Event] = []
    }

    private let state = Mutex(State())
    private let condition = NSCondition()

    /// What a former process left behind.
    init(leftovers: [Occurrence] = []) {
        if !leftovers.isEmpty {
            _ = try? append(leftovers)
            state.withLock { $0.events = [] }
        }
    }

    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }
    /// While it is set, an append does not return.
    var isStuck: Bool {
        get { state.withLock { $0.isStuck } }
        set {
            condition.lock()
            state.withLock { $0.isStuck = newValue }
            condition.broadcast()
            condition.unlock()
        }
    }
    /// How much the node knows that spools from now on.
    var certainty: SpooledOccurrence.Certainty {
        get { state.withLock { $0.certainty } }
        set { state.withLock { $0.certainty = newValue } }
    }
    /// The time of the ids from now on, which begin with 1.
    func makeIDs(at time: Timestamp) { state.withLock { $0.idsFrom = TimeOrderedNumber.lowerBound(at: time) } }

    /// Whether somebody is in the middle of an append.
    var isAppending: Bool { state.withLock { $0.isAppending } }
    var events: [Event] { state.withLock { $0.events } }
    var commits: [Int] {
        events.compactMap { event in
            if case .append(let count) = event { count } else { nil }
        }
    }
    var held: [SpooledOccurrence] { state.withLock { $0.batches.flatMap(\.occurrences) } }

    func failRemovals(_ count: Int) { state.withLock { $0.removalsToFail = count } }
    func failParkings(_ count: Int) { state.withLock { $0.parkingsToFail = count } }

    func append(_ occurrences: [Occurrence]) throws -> SpoolPosition {
        state.withLock { $0.isAppending = true }
        defer { state.withLock { $0.isAppending = false } }
        condition.lock()
        while isStuck { condition.wait() }
        condition.unlock()
        return try state.withLock { state in
            guard !state.isBroken else { throw Outage() }
            state.last += 1
            let position = SpoolPosition(rawValue: state.last)
            let spooled = occurrences.compactMap { occurrence -> SpooledOccurrence? in
                defer { state.nextID += 1 }
                return InteractionID(rawValue: state.idsFrom + state.nextID).map {
                    SpooledOccurrence(id: $0, occurrence: occurrence, certainty: state.certainty)
                }
            }
            state.batches.append((position, spooled))
            state.events.append(.append(count: occurrences.count))
            return position
        }
    }

    func read(after position: SpoolPosition, limit: Int) throws -> SpoolReading {
        state.withLock { state in
            var read: [SpooledOccurrence] = []
            var reached = position
            for batch in state.batches where batch.position > position && read.count < limit {
                read += batch.occurrences
                reached = batch.position
            }
            return SpoolReading(occurrences: read, position: reached)
        }
    }

    var parked: [SpooledOccurrence] { state.withLock { $0.parked.values.flatMap(\.self) } }

    func park(_ occurrences: [SpooledOccurrence], at position: SpoolPosition) throws {
        try state.withLock { state in
            guard state.parkingsToFail == 0 else {
                state.parkingsToFail -= 1
                throw Outage()
            }
            state.parked[position] = occurrences.isEmpty ? nil : occurrences
            state.damagedParked[position] = nil
        }
    }

    /// How many damaged batches are among those that are set aside.
    var damagedParkedCount: Int { state.withLock { $0.damagedParked.values.reduce(0, +) } }

    /// Sets a damaged batch aside.
    func parkDamaged(at position: SpoolPosition) { state.withLock { $0.damagedParked[position, default: 0] += 1 } }

    func parked(after position: SpoolPosition) throws -> SpoolReading? {
        state.withLock { state in
            Set(state.parked.keys).union(state.damagedParked.keys).filter { $0 > position }.min().map { first in
                SpoolReading(
                    occurrences: state.parked[first] ?? [], position: first,
                    unreadableCount: state.damagedParked[first] ?? 0)
            }
        }
    }

    func remove(through position: SpoolPosition) throws {
        try state.withLock { state in
            guard state.removalsToFail == 0 else {
                state.removalsToFail -= 1
                throw Outage()
            }
            state.batches.removeAll { $0.position <= position }
            state.events.append(.remove(position))
        }
    }

    func eraseResiduals() throws {
        try state.withLock { state in
            guard !state.isBroken else { throw Outage() }
            state.events.append(.eraseResiduals)
        }
    }

    func probe() throws { try state.withLock { if $0.isBroken { throw Outage() } } }
}
