import Identifiers
import Organizations

/// The cursors of one list: a prefix, and the id of the last item that the client has. So no list accepts the cursor of
/// another list. The cursors of the two lists without a prefix are only ids.
struct ListCursor<ID: CustomStringConvertible & Sendable>: Sendable {
    private let prefix: String
    private let make: @Sendable (String) throws(IdentifierError) -> ID

    func text(after id: ID) -> String { "\(prefix)\(id)" }

    /// The id in a cursor. The caller must check whether the list has such an item.
    func read(_ text: String) throws(CursorError) -> ID {
        guard text.utf8.starts(with: prefix.utf8) else { throw CursorError() }
        do throws(IdentifierError) {
            return try make(String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
        } catch {
            throw CursorError()
        }
    }
}

extension ListCursor where ID: EntityID {
    private init(prefix: String) { self.init(prefix: prefix, make: ID.parse) }
}

extension ListCursor<OrganizationID> {
    static var organizations: Self {
        Self(prefix: "o:") { text throws(IdentifierError) in try OrganizationID(text) }
    }
}

extension ListCursor<APIKeyID> {
    static var keys: Self { Self(prefix: "k:") }
}

extension ListCursor<MessageID> {
    static var messages: Self { Self(prefix: "m:") }
}

extension ListCursor<DecisionID> {
    static var decisions: Self { Self(prefix: "") }
}

extension ListCursor<AccessID> {
    static var accesses: Self { Self(prefix: "") }
}
