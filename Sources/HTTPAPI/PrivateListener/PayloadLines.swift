import Consent
import Formats
import Identifiers
import JSON
import Logging
import Messages
import NIOCore
import Organizations
import UseCases

/// Composing one message for recipients that come one a line, for as long as they come.
struct PayloadLines: Sendable {
    /// In bytes. A recipient has no more than 256, each of which takes six when it is escaped.
    static let maximumLength = 4096
    /// A client whose connection broke asks again for all lines whose answer it has not got: a thousand at most are
    /// decided and not received.
    private static let mostAhead = 1_000
    /// And as many however short the payloads are: fewer would not be worth their commits.
    private static let leastAhead = 60
    /// In bytes: what a client's machine may have received while the client itself does not read. (A receive buffer of
    /// Linux, 128 KiB as it comes, takes as much as this; it grows for a client that reads fast.)
    private static let received = 160 << 10
    /// In bytes: what a line has around its payload, at least.
    private static let shortestEnvelope = 128
    /// And what most have at most.
    private static let longestEnvelope = 224
    /// In bytes, of the answers to a batch: what a client that reads slowly is behind the decisions, beside the window.
    private static let bytesAtOnce = 16 << 20
    /// And of those that are written together.
    private static let bytesInPiece = 480 << 10
    /// One batch is stored, one is written, and the last part of another may wait to be acknowledged.
    private static let batchesAhead = 3

    /// What becomes of the lines.
    enum Purpose: Sendable {
        case composing(StoredMessage)
        case preview(PreviewedMessage)

        /// `nil` when it is not stored.
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
    let access: OngoingAccess
    let logger: Logger
    /// To the client.
    let channel: any Channel

    var exchange: LinePipeline {
        let shortest = Self.shortestEnvelope + compiled.lengths.lowerBound
        let limit = max(Self.mostAhead - Self.received / shortest, Self.leastAhead)
        let longest = Self.longestEnvelope + compiled.lengths.upperBound
        let linesOfBytes = max(Self.bytesAtOnce / longest, 1)
        let linesInPiece = max(Self.bytesInPiece / longest, 1)
        return LinePipeline(
            linesAtOnce: min(limit / Self.batchesAhead, linesOfBytes), linesInPiece: linesInPiece,
            access: access, channel: channel, underway: LinesInFlight(channel, limit: limit)
        ) { lines in
            let recipient = JSONShape<RecipientID>.string(RecipientID.init)
            let read = lines.map { line in
                Result { try recipient.read(try line.json(limit: Self.maximumLength)) }
                    .mapError { Problem.reporting($0, to: logger) }
            }
            let recipients = read.compactMap { try? $0.get() }
            guard !recipients.isEmpty else { return { { Self.refusals(read[$0], to: &$1) } } }
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

    /// Anew for each batch: the enforcement may have changed while the lines come.
    private var currentOrganization: Organization {
        get async throws {
            guard let organization = try await organizations.organization(organization) else { throw Problem.notFound }
            return organization
        }
    }

    private func evaluate(
        _ recipients: [RecipientID], for message: StoredMessage
    ) async throws -> Composer.Evaluation {
        try await composer.evaluate(recipients, for: message, in: try await currentOrganization)
    }

    /// Composes for those of a batch that fit. When their decisions cannot be stored, each of them is answered with
    /// that, and the lines that follow are tried anew.
    private func compose(
        _ message: StoredMessage, _ batch: [Result<RecipientID, Problem>],
        _ asked: Result<Composer.Evaluation, any Error>
    ) async throws -> LinePipeline.Answer {
        try await answering(batch) {
            var evaluation = try asked.get()
            // The client kept it waiting.
            if !composer.isFresh(evaluation) { evaluation = try await evaluate(evaluation.recipients, for: message) }
            return try await composer.compose(message, as: compiled, for: evaluation)
        }
    }

    /// The answer to a batch, with what `make` made for those that fit.
    private func answering(
        _ batch: [Result<RecipientID, Problem>], _ make: () async throws -> some PayloadBatch
    ) async throws -> LinePipeline.Answer {
        do {
            let composed = try await make()
            return { try Self.answer(batch[$0], composed, from: batch[..<$0.lowerBound].fittingCount, to: &$1) }
        } catch let error where !(error is CancellationError) {
            let problem = Problem.reporting(error, to: logger)
            let refused: [Result<RecipientID, Problem>] = batch.map { $0.flatMap { _ in .failure(problem) } }
            return { Self.refusals(refused[$0], to: &$1) }
        }
    }

    /// - Parameters:
    ///   - composed: for all recipients that fit, in their order.
    ///   - first: the index of the first payload of `batch`.
    private static func answer(
        _ batch: ArraySlice<Result<RecipientID, Problem>>, _ composed: some PayloadBatch, from first: Int,
        to writer: inout JSONWriter
    ) throws {
        var renderer = try composed.makeRenderer()
        writer.reserve(batch.count * (longestEnvelope + composed.compiled.lengths.upperBound))
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

    private static func refusals(_ batch: ArraySlice<Result<RecipientID, Problem>>, to writer: inout JSONWriter) {
        for case .failure(let problem) in batch { writer.refusalLine(problem) }
    }
}
