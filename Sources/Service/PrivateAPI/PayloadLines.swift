import Consent
import Formats
import Identifiers
import JSON
import Logging
import Messages
import NIOCore
import Organizations

/// Composing one message for recipients that come one a line, for as long as they come.
struct PayloadLines: Sendable {
    /// In bytes. A recipient has no more than 256, each of which takes six when it is escaped.
    static let maximumLength = 4096
    /// A client whose connection broke asks again for all lines whose answer it has not got: a thousand at most are
    /// decided and not received.
    private static let mostAhead = 1_000
    /// In bytes: what a client's machine may have received while the client itself does not read. (Linux begins with
    /// as much, and lets it grow for a client that reads.)
    private static let received = 64 << 10
    /// In bytes: what a line has around its payload, at least.
    private static let shortestEnvelope = 128
    /// And what most have at most.
    private static let longestEnvelope = 224
    /// In bytes, of the answers to a batch.
    private static let bytesAtOnce = 2 << 20
    /// One batch is stored, one is written, and the last part of another may wait to be acknowledged.
    private static let batchesAhead = 3

    let message: StoredMessage
    let compiled: CompiledMessage
    let organization: OrganizationID
    let organizations: any OrganizationStore
    let composer: Composer
    let logger: Logger
    /// To the client.
    let channel: any Channel

    var exchange: LineExchange {
        let shortest = Self.shortestEnvelope + compiled.lengths.lowerBound
        let limit = Self.mostAhead - Self.received / shortest
        let linesOfBytes = max(Self.bytesAtOnce / compiled.lengths.upperBound, 1)
        return LineExchange(
            linesAtOnce: min(limit / Self.batchesAhead, linesOfBytes), underway: LinesUnderway(channel, limit: limit)
        ) { lines in
            let recipient = JSONShape<RecipientID>.string(RecipientID.init)
            let read = lines.map { line in
                Result { try recipient.read(try line.json(limit: Self.maximumLength)) }
                    .mapError { Problem($0, logger: logger) }
            }
            let recipients = read.compactMap { try? $0.get() }
            guard !recipients.isEmpty else { return { { Self.refusals(read) } } }
            let asked: Result<Composer.Considered, any Error>
            do { asked = .success(try await consider(recipients)) } catch { asked = .failure(error) }
            return { try await compose(read, asked) }
        }
    }

    private func consider(_ recipients: [RecipientID]) async throws -> Composer.Considered {
        // Anew for each batch: the enforcement may have changed while the lines come.
        guard let organization = try await organizations.organization(organization) else { throw Problem.notFound }
        return try await composer.consider(recipients, for: message, in: organization)
    }

    /// Composes for those of a batch that fit. When their decisions cannot be stored, each of them is answered with
    /// that, and the lines that follow are tried anew.
    private func compose(
        _ batch: [Result<RecipientID, Problem>], _ asked: Result<Composer.Considered, any Error>
    ) async throws -> LineExchange.Answer {
        do {
            var considered = try asked.get()
            // The client kept it waiting.
            if !composer.isFresh(considered) { considered = try await consider(considered.recipients) }
            let composed = try await composer.compose(message, as: compiled, for: considered)
            return { try Self.answer(batch, composed) }
        } catch let error where !(error is CancellationError) {
            let problem = Problem(error, logger: logger)
            return { Self.refusals(batch.map { $0.flatMap { _ in .failure(problem) } }) }
        }
    }

    /// - Parameter composed: for the recipients that fit, in their order.
    private static func answer(
        _ batch: [Result<RecipientID, Problem>], _ composed: ComposedPayloads
    ) throws -> [UInt8] {
        var renderer = try PayloadRenderer(composed)
        var writer = JSONWriter(capacity: batch.count * (longestEnvelope + composed.compiled.lengths.upperBound))
        var place = 0
        for line in batch {
            switch line {
            case .failure(let problem): writer.refusalLine(problem)
            case .success:
                renderer.write(place, to: &writer)
                writer.endLine()
                place += 1
            }
        }
        return writer.bytes
    }

    private static func refusals(_ batch: [Result<RecipientID, Problem>]) -> [UInt8] {
        var writer = JSONWriter()
        for case .failure(let problem) in batch { writer.refusalLine(problem) }
        return writer.bytes
    }
}
