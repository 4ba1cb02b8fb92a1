/// What is wrong with the stored rows of a message. The raw value follows the name of the message.
package enum LedgerMessageFault: String, Hashable, Sendable {
    case unreadable = "has a value that cannot be read"
    case content = "does not have the content that it was stored with"
    case links = "has an added link that cannot be read, or that has an index of its content"
    case listing = "is listed under another name or other tags than it has"
    case tracking = "has decisions that its tracking setting rules out"
    case counts = "has counts that are not those of its decisions"
    case index = "is not the same in its table and in an index of the database"
}
