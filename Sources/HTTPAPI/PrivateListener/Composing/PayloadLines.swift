import Consent
import Formats
import Identifiers
import JSON
import Logging
import Messages
import NIOCore
import Organizations
import UseCases

/// Composes one message for recipients that arrive one a line, until the client ends the request.
struct PayloadLines: Sendable {
    /// In bytes. A recipient has at most 256, each of which takes six if it is escaped.
    static let maximumLength = 4096
    /// The least number of lines ahead, however short the payloads are: fewer would not be worth their commits.
    private static let minimumAheadCount = 60
    /// In bytes: how much the client's machine may have received while the client itself does not read. (The default
    /// receive buffer of Linux, 128 KiB, holds as much as this; it grows for a client that reads fast.)
    private static let received = 160 << 10
    /// In bytes: the least size of a line without its payload.
    private static let minimumEnvelopeSize = 128
    /// In bytes: the greatest size of most lines without their payload.
    private static let maximumEnvelopeSize = 224
    /// In bytes, of the answers to a batch: how far a slow client may be behind the decisions, in addition to the
    /// window.
    private static let bytesAtOnce = 16 << 20
    /// In bytes, of the answers that are written together.
    private static let bytesInPiece = 480 << 10
    /// One batch is stored while the answers to another are written and acknowledged. With a third, batches would be
    /// shorter, and each costs a commit and a wait for the disk.
    private static let batchesAhead = 2

    /// What the lines are for.
    enum Purpose: Sendable {
        case composing(StoredMessage)
        case preview(PreviewedMessage)

        /// `nil` if it is not stored.
        var message: MessageID? {
            switch self {
            case .composing(let message): message.id
            case .preview(let message): message.id
            }
        }
    }

    let purpose: Purpose
    let compiled: CompiledMessage
    let organization: OrganizationID
    let organizations: any OrganizationDirectory
    let composer: Composer
    let validity: CallerValidity
    let logger: Logger
    /// The connection to the client.
    let channel: any Channel

    var pipeline: LinePipeline {
        let shortest = Self.minimumEnvelopeSize + compiled.lengths.lowerBound
        let limit = max(LinesInFlight.maximumDecisionCount - Self.received / shortest, Self.minimumAheadCount)
        let longest = Self.maximumEnvelopeSize + compiled.lengths.upperBound
        let linesOfBytes = max(Self.bytesAtOnce / longest, 1)
        let linesInPiece = max(Self.bytesInPiece / longest, 1)
        return LinePipeline(
            linesAtOnce: min(limit / Self.batchesAhead, linesOfBytes), linesInPiece: linesInPiece,
            validity: validity, channel: channel, underway: LinesInFlight(channel, limit: limit)
        ) { lines in
            let recipient = JSONShape<RecipientID>.string(RecipientID.init)
            let read = lines.map { line in
                Result { try recipient.read(try line.json(limit: Self.maximumLength)) }
                    .mapError { Problem.reporting($0, to: logger) }
            }
            let recipients = read.compactMap { try? $0.get() }
            guard !recipients.isEmpty else { return { { $1.refusalLines(of: read[$0]) } } }
            switch purpose {
            case .composing(let message):
                let asked: Result<Composer.Evaluation, any Error>
                do { asked = .success(try await evaluate(recipients, for: message)) } catch { asked = .failure(error) }
                return { try await compose(message, read, asked) }
            case .preview(let message):
                return {
                    try await answering(read) {
                        try await composer.preview(
                            message, as: compiled, for: recipients, in: try await currentOrganization)
                    }
                }
            }
        }
    }

    /// Read again for each batch: the enforcement may change while lines arrive.
    private var currentOrganization: Organization {
        get async throws { try await organizations.known(organization) }
    }

    private func evaluate(
        _ recipients: [RecipientID], for message: StoredMessage
    ) async throws -> Composer.Evaluation {
        try await composer.evaluate(recipients, for: message, in: try await currentOrganization)
    }

    /// Composes for the valid recipients of a batch. If their decisions cannot be stored, each of them is answered with
    /// that failure, and the lines that follow are tried again.
    private func compose(
        _ message: StoredMessage, _ batch: [Result<RecipientID, Problem>],
        _ asked: Result<Composer.Evaluation, any Error>
    ) async throws -> LinePipeline.Answer {
        try await answering(batch) {
            var evaluation = try asked.get()
            // The batch may have waited because the client did not read, and consent may have changed meanwhile.
            if !composer.isFresh(evaluation) { evaluation = try await evaluate(evaluation.recipients, for: message) }
            return try await composer.compose(message, as: compiled, for: evaluation)
        }
    }

    /// The answer to a batch, with the results of `make` for the valid lines.
    private func answering(
        _ batch: [Result<RecipientID, Problem>], _ make: () async throws -> some PayloadBatch
    ) async throws -> LinePipeline.Answer {
        do {
            let composed = try await make()
            return { try Self.answer(batch[$0], composed, from: batch[..<$0.lowerBound].fittingCount, to: &$1) }
        } catch let error where !(error is CancellationError) {
            let problem = Problem.reporting(error, to: logger)
            let refused: [Result<RecipientID, Problem>] = batch.map { $0.flatMap { _ in .failure(problem) } }
            return { $1.refusalLines(of: refused[$0]) }
        }
    }

    /// - Parameters:
    ///   - composed: the results for all valid recipients, in their order.
    ///   - first: the index of the first payload of `batch`.
    private static func answer(
        _ batch: ArraySlice<Result<RecipientID, Problem>>, _ composed: some PayloadBatch, from first: Int,
        to writer: inout JSONWriter
    ) throws {
        var renderer = try composed.makeRenderer()
        writer.reserve(batch.count * (maximumEnvelopeSize + composed.compiled.lengths.upperBound))
        var index = first
        for line in batch {
            switch line {
            case .failure(let problem): writer.refusalLine(problem)
            case .success:
                renderer.write(index, to: &writer)
                writer.endLine()
                index += 1
            }
        }
    }
}
