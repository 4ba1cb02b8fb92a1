import Consent
import Hummingbird
import Identifiers
import JSON
import Logging
import Messages
import NIOCore
import Organizations
import TrackingIDs
import UseCases

/// Rewrites mails of one message that arrive one a line, until the client ends the request.
struct RewriteLines: Sendable {
    /// The number of mails whose decisions and links are stored together, unless the mails are large.
    private static let linesAtOnce = 100
    /// How many mails are answered in one piece.
    private static let linesInPiece = 4

    let message: StoredMessage
    /// The links that the message has.
    let links: KnownLinks
    /// The bodies for lines that have none of their own.
    let bodies: OrderBodies
    let organization: OrganizationID
    let organizations: any OrganizationDirectory
    let rewriter: Rewriter
    let validity: CallerValidity
    let logger: Logger
    /// The connection to the client.
    let channel: any Channel

    private typealias Line = Result<PersonalMail, Problem>

    var pipeline: LinePipeline {
        LinePipeline(
            linesAtOnce: Self.linesAtOnce, linesInPiece: Self.linesInPiece, validity: validity, channel: channel,
            underway: LinesInFlight(channel, limit: LinesInFlight.maximumDecisionCount)
        ) { lines in
            do {
                let organization = try await currentOrganization
                let current = targets(in: organization)
                let shape = PersonalMail.shape(
                    current, instead: try bodies.bodies(by: current), cache: LinkVerdictCache())
                let read = lines.map { line in
                    Result { try shape.read(try line.json(limit: Request.maximumBodySize)) }
                        .mapError { Problem.reporting($0, to: logger) }
                }
                let recipients = read.compactMap { try? $0.get().recipient }
                guard !recipients.isEmpty else { return { { $1.refusalLines(of: read[$0]) } } }
                let evaluation = try await rewriter.composer.evaluate(recipients, for: message, in: organization)
                return { try await rewrite(read, evaluation) }
            } catch let error where !(error is CancellationError) {
                return refusing(lines.count, error)
            }
        }
    }

    /// Read again for each batch: enforcement and hosts may change while lines arrive.
    private var currentOrganization: Organization {
        get async throws { try await organizations.known(organization) }
    }

    private func targets(in organization: Organization) -> MailTargets {
        MailTargets(rules: rewriter.catalog.rules(for: organization), known: links)
    }

    /// Every line of a batch is answered with the error; the lines that follow are tried again.
    private func refusing(_ count: Int, _ error: any Error) -> LinePipeline.Storing {
        let refused = [Line](repeating: .failure(Problem.reporting(error, to: logger)), count: count)
        return { { $1.refusalLines(of: refused[$0]) } }
    }

    /// Stores the decisions and the links of the valid lines, each in one commit.
    private func rewrite(
        _ batch: [Line], _ asked: Composer.Evaluation
    ) async throws -> LinePipeline.Answer {
        do {
            var evaluation = asked
            var mails = batch.compactMap { try? $0.get() }
            // The batch may have waited because the client did not read, and consent may have changed meanwhile.
            if !rewriter.composer.isFresh(asked) {
                let organization = try await currentOrganization
                evaluation = try await rewriter.composer.evaluate(asked.recipients, for: message, in: organization)
                let current = targets(in: organization)
                if current.rules != targets(in: asked.organization).rules {
                    mails = try mails.map { try $0.judgedAgain(by: current) }
                }
            }
            let rewritten = try await rewriter.rewrite(mails, of: message, for: evaluation, links)
            return { try Self.answer(batch[$0], rewritten, from: batch[..<$0.lowerBound].fittingCount, to: &$1) }
        } catch let error where !(error is CancellationError) {
            let problem = Problem.reporting(error, to: logger)
            let refused: [Line] = batch.map { $0.flatMap { _ in .failure(problem) } }
            return { $1.refusalLines(of: refused[$0]) }
        }
    }

    /// - Parameter first: the index of the first mail of `batch` among the valid ones.
    private static func answer(
        _ batch: ArraySlice<Line>, _ rewritten: Rewriter.RewrittenMails, from first: Int, to writer: inout JSONWriter
    ) throws {
        let sealer = try TrackingIDSealer(keyRing: rewritten.decided.keyRing)
        let lengths = batch.lazy.compactMap { try? $0.get() }.map { $0.bodies.reduce(0) { $0 + $1.length } }
        // Room for escapes, and for the members besides the bodies.
        writer.reserve(lengths.reduce(0, +) * 9 / 8 + batch.count << 10)
        var index = first
        for line in batch {
            switch line {
            case .failure(let problem): writer.refusalLine(problem)
            case .success(let mail):
                writer.object { writer in
                    writer.member("recipient", mail.recipient.text)
                    writer.mail(rewritten.mail(at: index, sealer))
                }
                writer.endLine()
                index += 1
            }
        }
    }
}

extension JSONWriter {
    /// The members of a line about a mail. It names only those links that stay unchanged.
    fileprivate mutating func mail(_ rewritten: Rewriter.Rewritten) {
        member("tracked", rewritten.decisions.permit != .untracked)
        decisions(rewritten.decisions, ended: rewritten.ended)
        bodies(of: rewritten)
        skipped(rewritten.skippedLinks)
    }
}
