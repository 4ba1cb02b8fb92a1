import Consent
import Identifiers
import JSON
import Logging
import NIOCore
import Organizations
import UseCases

/// An import of consent records, one a line, until the client ends it.
struct ConsentLines: Sendable {
    /// In bytes: twice the size of a record with the longest texts, unless they are written in escapes.
    static let maximumLength = 64 << 10
    private static let linesAtOnce = 10_000
    private static let linesInPiece = 400

    let organization: OrganizationID
    let organizations: any OrganizationDirectory
    let recording: ConsentRecording
    let recordingTime: @Sendable () -> RecordingTime
    let validity: CallerValidity
    let logger: Logger
    /// The connection to the client.
    let channel: any Channel

    var pipeline: LinePipeline {
        LinePipeline(
            linesAtOnce: Self.linesAtOnce, linesInPiece: Self.linesInPiece, validity: validity, channel: channel
        ) { lines in
            let instant = recordingTime()
            let shape = JSONShape<NewConsentRecord>.consentRecord(at: instant)
            let read = lines.map { line in
                Result { try shape.read(try line.json(limit: Self.maximumLength)) }.mapError {
                    Problem.reporting($0, to: logger)
                }
            }
            return { try await store(read, at: instant.now) }
        }
    }

    /// Stores the valid records of a batch in one commit. If the store fails, each of them is answered with that
    /// failure, and the lines that follow are tried again.
    private func store(
        _ read: [Result<NewConsentRecord, Problem>], at instant: Timestamp
    ) async throws -> LinePipeline.Answer {
        do {
            let batch = await refusingTooManyPurposes(try await refusingMissingEvidence(read))
            let records = batch.compactMap { try? $0.get() }
            let stored = records.isEmpty ? [] : try await recording.record(records, in: organization, at: instant)
            return { Self.answer(batch[$0], stored.dropFirst(batch[..<$0.lowerBound].fittingCount), to: &$1) }
        } catch let error where !(error is CancellationError) {
            let problem = Problem.reporting(error, to: logger)
            let refused: [Result<NewConsentRecord, Problem>] = read.map { $0.flatMap { _ in .failure(problem) } }
            return { Self.answer(refused[$0], [], to: &$1) }
        }
    }

    /// The setting may change while lines arrive, so each batch uses the current one.
    private func refusingMissingEvidence(
        _ batch: [Result<NewConsentRecord, Problem>]
    ) async throws -> [Result<NewConsentRecord, Problem>] {
        guard try await organizations.organization(organization)?.requiresEvidence == true else { return batch }
        return batch.map { line in
            line.flatMap { record in
                do throws(BodyProblems) {
                    try record.requireEvidence()
                    return .success(record)
                } catch {
                    return .failure(Problem.reporting(error, to: logger))
                }
            }
        }
    }

    /// Grants for more purposes than the organization may have are refused, each line for itself.
    private func refusingTooManyPurposes(
        _ batch: [Result<NewConsentRecord, Problem>]
    ) async -> [Result<NewConsentRecord, Problem>] {
        let records = batch.compactMap { try? $0.get() }
        let beyond = await recording.grantsBeyondLimit(of: records, in: organization)
        guard !beyond.isEmpty else { return batch }
        let problem = Problem(TooManyPurposes(Set(beyond.map { records[$0].purpose })).problemsOfLine)
        var index = -1
        return batch.map { line in
            line.flatMap { record in
                index += 1
                return beyond.contains(index) ? .failure(problem) : .success(record)
            }
        }
    }

    /// - Parameter stored: the results of the valid records, in their order.
    private static func answer(
        _ batch: ArraySlice<Result<NewConsentRecord, Problem>>, _ stored: ArraySlice<ConsentRecord>,
        to writer: inout JSONWriter
    ) {
        var stored = stored.makeIterator()
        for line in batch {
            switch line {
            case .failure(let problem): writer.refusalLine(problem)
            case .success(let record):
                guard let kept = stored.next() else { preconditionFailure("a record that fits was not stored") }
                writer.stored(kept, about: record.recipient)
                writer.endLine()
            }
        }
    }
}
