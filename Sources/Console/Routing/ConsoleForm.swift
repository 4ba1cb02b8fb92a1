import ASCII
import HTTPAPI
import Hummingbird
import NIOCore

/// The fields of a form that was sent.
struct ConsoleForm: Sendable {
    /// The longest body, in bytes.
    private static let maximumLength = 64 << 10
    /// The same for a form that is open to any browser: its longest field is a key.
    private static let maximumLengthForAnyone = 4 << 10
    private static let maximumFieldCount = 64
    static let tokenField = "form"

    /// How long a text may be.
    enum Length {
        /// Unicode scalars.
        case characters(Int)
        /// Bytes of UTF-8.
        case bytes(Int)
    }

    private let fields: [String: String]

    init(_ fields: [String: String]) { self.fields = fields }

    /// - Throws: ``ConsoleRefusal`` for a body that is no form, too large, or names a field twice.
    static func read(_ request: Request, _ authorization: ConsoleRoute.Authorization) async throws -> ConsoleForm {
        guard request.hasForm else { throw ConsoleRefusal.malformedForm }
        let length = authorization.isOpenToAnyone ? maximumLengthForAnyone : maximumLength
        let body: ByteBuffer
        do { body = try await request.body.collect(upTo: length) } catch is NIOTooManyBytesError {
            throw ConsoleRefusal.tooLarge
        }
        // Forms of unauthenticated clients are decoded, too, because the form contains its token.
        guard body.readableBytesView.count(where: { $0 == UInt8(ascii: "&") }) < maximumFieldCount else {
            throw ConsoleRefusal.tooLarge
        }
        // The decoder replaces bytes that are not UTF-8: they would become the identifier of another person.
        guard let bytes = PercentEncoding.decode(body.readableBytesView),
            String(validating: bytes, as: UTF8.self) != nil
        else { throw ConsoleRefusal.malformedForm }
        do {
            return ConsoleForm(try URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body)))
        } catch {
            throw ConsoleRefusal.malformedForm
        }
    }

    /// The content of a field, without white space around it; empty if it is missing.
    subscript(name: String) -> String { trimmed(exact(name)) }

    /// The content of a field, with the white space around it; empty if it is missing.
    func exact(_ name: String) -> String { fields[name] ?? "" }

    var token: String? { fields[Self.tokenField] }

    /// - Throws: ``ConsoleRefusal/unfit(field:_:)`` if the field is missing, empty, too long or has control characters.
    func text(_ name: String, atMost length: Length) throws -> String {
        try fitting(self[name], name, atMost: length)
    }

    /// Like ``text(_:atMost:)``, with the white space around it: for values that may begin or end with it.
    func exactText(_ name: String, atMost length: Length) throws -> String {
        try fitting(exact(name), name, atMost: length)
    }

    private func fitting(_ text: String, _ name: String, atMost length: Length) throws -> String {
        guard !text.isEmpty else { throw ConsoleRefusal.unfit(field: name, .missing) }
        switch length {
        case .characters(let most) where text.unicodeScalars.count > most:
            throw ConsoleRefusal.unfit(field: name, .tooLong(most))
        case .bytes(let most) where text.utf8.count > most:
            throw ConsoleRefusal.unfit(field: name, .tooManyBytes(most))
        default: break
        }
        guard !text.hasControlCharacter else { throw ConsoleRefusal.unfit(field: name, .malformed) }
        return text
    }

    /// Like ``text(_:atMost:)``, but returns an empty text if the field is missing or empty.
    func optionalText(_ name: String, atMost length: Length) throws -> String {
        self[name].isEmpty ? "" : try text(name, atMost: length)
    }

    private func trimmed(_ text: String) -> String {
        let rest = text.drop { $0.isWhitespace }
        return String(rest.prefix(rest.count - (rest.reversed().prefix { $0.isWhitespace }.count)))
    }
}
