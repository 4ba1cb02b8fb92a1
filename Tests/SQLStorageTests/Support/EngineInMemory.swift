import SQL
import Synchronization

@testable import SQLStorage

/// An engine of tests, whose writes append numbers to a list. It runs what is scheduled when it is told to.
final class EngineInMemory: WriterEngine {
    struct Lost: Error, Equatable {}

    private struct State {
        var committed: [Int64] = []
        /// Those of the transaction; `nil` outside of one.
        var writing: [Int64]?
        var work: [@Sendable () -> Void] = []
        var answers = 0
        var lost = 0
        var fails = false
        var finds: (@Sendable (Int64) -> (any Error)?)?
        var refusedTurns = 0
        var beforeTurn: (@Sendable () -> Void)?
        /// Bulk that waits; `nil` while it need not.
        var heldBulk: [@Sendable () -> Void]?
        var bulkTurns = 0
    }

    private let state = Mutex(State())

    /// What was committed.
    var numbers: [Int64] { state.withLock { $0.committed } }
    /// How often a group was answered.
    var answers: Int { state.withLock { $0.answers } }

    /// How many of the next commits lose their connection: the transaction is run again.
    func lose(_ count: Int) { state.withLock { $0.lost = count } }

    /// From now on no commit succeeds.
    func fail() { state.withLock { $0.fails = true } }

    /// From now on a write that has returned is undone for the error that `body` has for the last number it wrote, as by
    /// an engine that does not wait for what it sends.
    func findLater(_ body: @escaping @Sendable (Int64) -> (any Error)?) { state.withLock { $0.finds = body } }

    /// Inside a write.
    func append(_ number: Int64) { state.withLock { $0.writing?.append(number) } }

    /// From now on each transaction, while it waits for its turn, calls `body`.
    func beforeTurn(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.beforeTurn = body } }

    /// How many of the next transactions fail before they begin.
    func refuseTurns(_ count: Int) { state.withLock { $0.refusedTurns = count } }

    /// From now on bulk waits.
    func holdBulk() { state.withLock { $0.heldBulk = [] } }

    /// Bulk that waits may be written.
    func letBulk() {
        state.withLock { state in
            state.work += state.heldBulk ?? []
            state.heldBulk = nil
        }
    }

    /// How many turns of bulk have ended.
    var bulkTurns: Int { state.withLock { $0.bulkTurns } }

    func scheduleBulk(_ work: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.heldBulk == nil { state.work.append(work) } else { state.heldBulk?.append(work) }
        }
    }

    func endBulk() { state.withLock { $0.bulkTurns += 1 } }

    /// Does what was scheduled, and what that schedules, on this thread.
    func run() {
        while let piece = state.withLock({ $0.work.isEmpty ? nil : $0.work.removeFirst() }) { piece() }
    }

    func schedule(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.work.append(work) } }

    func transaction(_ body: (any SQLConnection) throws -> Void) throws {
        while true {
            state.withLock { $0.writing = $0.committed }
            defer { state.withLock { $0.writing = nil } }
            state.withLock { $0.beforeTurn }?()
            try state.withLock { state throws(Lost) in
                guard state.refusedTurns > 0 else { return }
                state.refusedTurns -= 1
                throw Lost()
            }
            try body(EmptyConnection())
            let isLost = try state.withLock { state throws(Lost) in
                if state.fails { throw Lost() }
                state.lost -= 1
                guard state.lost < 0, let writing = state.writing else { return true }
                state.committed = writing
                return false
            }
            if !isLost { return }
        }
    }

    func savepoint(_: any SQLConnection, _ body: () throws -> Void) throws -> (any Error)? {
        let before = state.withLock { $0.writing }
        do {
            try body()
            let (finds, last) = state.withLock { ($0.finds, $0.writing?.last) }
            if let last, let error = finds?(last) { throw error }
            return nil
        } catch {
            state.withLock { $0.writing = before }
            return error
        }
    }

    func withConnection<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try body(EmptyConnection())
    }

    func didAnswer() { state.withLock { $0.answers += 1 } }

    func translating(_ error: any Error) -> any Error { error }
}

/// A connection to a database without a row.
private final class EmptyConnection: SQLConnection {
    var dialect: SQLDialect { SQLDialect(.sqlite) }

    func statement(_: String) -> SQLStatement { SQLStatement(EmptyStatement()) }
    func longStatement(_: String) -> SQLStatement { SQLStatement(EmptyStatement()) }
    func rows(_: String) -> RowInsert { RowInsert(SQLStatement(EmptyStatement())) }
}

private final class EmptyStatement: PreparedStatement {
    func bind(_: Int64, at _: Int32) {}
    func bindNull(as _: SQLType, at _: Int32) {}
    func bind(text _: UnsafeRawBufferPointer, at _: Int32) {}
    func bind(bytes _: UnsafeRawBufferPointer, at _: Int32) {}
    func bind(personal _: UnsafeRawBufferPointer, at _: Int32) {}
    func bind(integers: [Int64], at place: Int32) {}
    func bind(byteStrings: [[UInt8]], at place: Int32) {}
    func requireAllBound(_: Int32) {}
    func execute() {}
    func addRow() {}
    func finishRows() {}
    func executeCounting() -> Int { 0 }
    func executeNumbering() -> Int64? { nil }
    func step() -> Bool { false }
    func reset() {}
    func isNull(_: Int32) -> Bool { true }
    func integer(_: Int32) -> Int64 { 0 }
    func text(_: Int32) -> String { "" }
    func bytes(_: Int32) -> [UInt8] { [] }
    func personalText(_: Int32) -> String? { nil }
}
