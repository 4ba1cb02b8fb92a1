import Consent
import Hummingbird
import Identifiers
import NIOCore

/// The body that the form of a consent request's page posts: `purpose=tracking&answer=given`.
struct AnswerForm: Hashable, Sendable {
    /// The largest body, in bytes. The form's own bodies are below 120.
    static let maximumBodySize = 1024

    let purpose: Purpose
    let answer: ConsentAnswer

    /// Reads a body of the page's form, whose values need no percent-encoding; `nil` for any other body.
    init?(_ body: [UInt8]) {
        var members: [String: String] = [:]
        for member in body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let parts = member.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let name = String(decoding: parts[0], as: UTF8.self)
            guard members.updateValue(String(decoding: parts[1], as: UTF8.self), forKey: name) == nil else {
                return nil
            }
        }
        guard members.count == 2, let purpose = members["purpose"].flatMap({ try? Purpose($0) }),
            let answer = members["answer"].flatMap(ConsentAnswer.init)
        else { return nil }
        self.purpose = purpose
        self.answer = answer
    }

    /// - Returns: `nil` if no page's form sends such a body.
    static func read(_ request: Request) async throws -> AnswerForm? {
        guard request.hasForm else { return nil }
        do {
            var buffer = try await request.body.collect(upTo: maximumBodySize)
            return AnswerForm(buffer.readBytes(length: buffer.readableBytes) ?? [])
        } catch is NIOTooManyBytesError {
            return nil
        }
    }
}
