import Hummingbird
import NIOCore

/// The parts that the body of a withdrawal names, or all.
///
/// Any body that does not name a part is about all: an empty body, a mail program's one click (RFC 8058), a body that
/// is too long or no form. If a reader says no and is misunderstood, they must not be tracked.
enum WithdrawalForm {
    /// The longest body that is read, in bytes. The page's own form sends at most 19.
    static let maximumLength = 256

    /// - Returns: `nil` for all parts.
    static func parts(of request: Request) async throws -> Set<WithdrawalPage.Part>? {
        guard request.hasForm else { return nil }
        var bytes: [UInt8] = []
        for try await chunk in request.body {
            guard bytes.count + chunk.readableBytes <= maximumLength else { return nil }
            bytes += chunk.readableBytesView
        }
        return parts(named: bytes)
    }

    static func parts(named body: [UInt8]) -> Set<WithdrawalPage.Part>? {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        var named: Set<WithdrawalPage.Part> = []
        for field in text.split(separator: "&") {
            let name = field.prefix { $0 != "=" }
            switch String(name) {
            case WithdrawalPage.Part.clicks.field: named.insert(.clicks)
            case WithdrawalPage.Part.opens.field: named.insert(.opens)
            default: return nil
            }
        }
        return named.isEmpty ? nil : named
    }
}
