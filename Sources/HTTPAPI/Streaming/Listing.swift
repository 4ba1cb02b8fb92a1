import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Synchronization
import UseCases

/// A list that is answered in pages, or as a whole in JSON lines or CSV.
///
/// The store is asked page by page in each case: no read lasts longer than a page, so no read keeps the database from
/// removing old versions of rows.
struct Listing<Item: Sendable, Cursor: Sendable>: Sendable {
    /// Reads the items after a place, and what else is needed to write them.
    typealias Read = @Sendable (_ after: Cursor?, _ limit: Int) async throws -> [Item]

    private static var itemsAtOnce: Int { PageLimit.allowed.upperBound }

    /// Items until they are written. What a closure captures stays in memory for as long as a client reads its answer.
    private final class Handover: Sendable {
        private let items: Mutex<[Item]>

        init(_ items: [Item]) { self.items = Mutex(items) }

        func take() -> [Item] {
            items.withLock { items in
                defer { items = [] }
                return items
            }
        }
    }

    let columns: [String]
    let read: Read
    let cursor: @Sendable (Item) -> Cursor
    let writeJSON: @Sendable (Item, inout JSONWriter) -> Void
    let writeCSV: @Sendable (Item, inout CSVWriter) -> Void
    /// Whether there may be more items behind these, although ``read`` returned fewer than its limit.
    var isCut: @Sendable ([Item]) -> Bool = { _ in false }

    /// Everything after `start`, in one of the media types that are streamed.
    ///
    /// The first items are read before the answer begins: if the store cannot be asked, the answer is a problem
    /// document. If they are all items, the answer has its length; otherwise it needs chunks. If the store fails
    /// later, the answer is cut off, and no client can take it for complete. If the key is deleted meanwhile, JSON
    /// lines end with a line that says so; CSV has no place for it and is cut off.
    ///
    /// - Throws: 426 if the answer needs chunks and must not have them; what ``read`` throws.
    func stream(
        _ type: APIMediaType, after start: Cursor?, _ validity: CallerValidity, inChunks allowsChunks: Bool
    ) async throws -> Response {
        let first = try await read(start, Self.itemsAtOnce)
        guard mayContinue(first) else { return .document(type, whole(first, as: type)) }
        guard allowsChunks else { throw Problem.chunksNeeded }
        let handover = Handover(first)
        return .streamed(type) { writer in
            if type == .csv { try await writer.write(ByteBuffer(bytes: header)) }
            var items = handover.take()
            while let last = items.last {
                let (part, mayContinue) = (part(items, as: type), mayContinue(items))
                // The client may take minutes to read; until then, only the bytes are held.
                items = []
                try await writer.write(part)
                guard mayContinue else { break }
                try await validity.check()
                items = try await read(cursor(last), Self.itemsAtOnce)
            }
        }
    }

    /// Whether there may be more items behind these.
    private func mayContinue(_ items: [Item]) -> Bool { items.count == Self.itemsAtOnce || isCut(items) }

    private func part(_ items: [Item], as type: APIMediaType) -> ByteBuffer {
        ByteBuffer(bytes: type == .csv ? csv(items) : jsonLines(items))
    }

    private func whole(_ items: [Item], as type: APIMediaType) -> [UInt8] {
        type == .csv ? header + csv(items) : jsonLines(items)
    }

    private var header: [UInt8] {
        var writer = CSVWriter()
        for column in columns { writer.cell(column) }
        writer.endLine()
        return writer.bytes
    }

    private func csv(_ items: [Item]) -> [UInt8] {
        var writer = CSVWriter()
        for item in items {
            writeCSV(item, &writer)
            writer.endLine()
        }
        return writer.bytes
    }

    private func jsonLines(_ items: [Item]) -> [UInt8] {
        var writer = JSONWriter(capacity: items.count * 256)
        for item in items {
            writer.object { writeJSON(item, &$0) }
            writer.endLine()
        }
        return writer.bytes
    }
}
