import Foundation
import PostgresServer
import StorageContracts
import Testing

/// The PostgreSQL storage keeps the promises of every port while its connections are cut: what was sent is sent again,
/// and has one effect.
///
/// A case takes some two seconds. So one promise of six is kept through cuts of one kind here, in turns; with
/// `CONTRACTS_THROUGH=all` in the environment every promise is, through cuts of every kind.
@Suite struct CutContractTests {
    private static let cuts: [CuttingProxy.Cut] = [
        .someAnswers, .someStatements, .everyCommitAnswer(2), .everyCommit(2),
    ]

    private static let promises = StorageContracts.everyStorage

    /// Of so many promises one is kept, unless all are asked for.
    private static let step = 6

    private static let cases: [CutPromise] =
        if ProcessInfo.processInfo.environment["CONTRACTS_THROUGH"] == "all" {
            promises.flatMap { promise in cuts.map { CutPromise(promise: promise, cut: $0) } }
        } else {
            stride(from: 0, to: promises.count, by: step).map { index in
                CutPromise(promise: promises[index], cut: cuts[index / step % cuts.count])
            }
        }

    @Test("a promise is kept while connections are cut", arguments: cases)
    func isKept(_ kept: CutPromise) async throws {
        try await withPostgresStorage(cutting: kept.cut, kept.promise.check)
    }
}

struct CutPromise: Sendable, CustomTestStringConvertible {
    let promise: Promise
    let cut: CuttingProxy.Cut

    var testDescription: String { "\(promise.testDescription), through \(cut)" }
}
