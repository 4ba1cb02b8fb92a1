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
    /// A client whose connection broke asks again for all lines whose answer it has not got, a thousand at most. One
    /// batch is decided, one waits to be written and one is being written; the kernel sends from a small buffer.
    private static let linesAtOnce = 170
    /// In bytes; Linux makes it twice as many. Less than 350 lines stand in there: the shortest has about 190 bytes.
    private static let sendBufferSize = 32 << 10

    /// Bounds what stands between a line that is decided and the client.
    static func limitBuffers(of channel: any Channel) async throws {
        try await channel.setOption(.socketOption(.so_sndbuf), value: SocketOptionValue(sendBufferSize)).get()
        // Nothing is written until all before it is the kernel's.
        try await channel.setOption(.writeBufferWaterMark, value: .init(low: 1, high: 1)).get()
    }

    let message: StoredMessage
    let compiled: CompiledMessage
    let organization: OrganizationID
    let organizations: any OrganizationStore
    let composer: Composer
    let logger: Logger

    var exchange: LineExchange {
        LineExchange(linesAtOnce: Self.linesAtOnce) { lines in
            let recipient = JSONShape<RecipientID>.string(RecipientID.init)
            let read = lines.map { line in
                Result { try recipient.read(try line.json(limit: Self.maximumLength)) }
                    .mapError { Problem($0, logger: logger) }
            }
            return { try await compose(read) }
        }
    }

    /// Composes for those of a batch that fit. When their decisions cannot be stored, each of them is answered with
    /// that, and the lines that follow are tried anew.
    private func compose(_ batch: [Result<RecipientID, Problem>]) async throws -> LineExchange.Answer {
        let recipients = batch.compactMap { try? $0.get() }
        do {
            guard !recipients.isEmpty else { return { Self.refusals(batch) } }
            // Anew for each batch: the enforcement may have changed while the lines come.
            guard let organization = try await organizations.organization(organization) else { throw Problem.notFound }
            let composed = try await composer.compose(message, as: compiled, for: recipients, in: organization)
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
        var writer = JSONWriter(capacity: batch.count * 512)
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
