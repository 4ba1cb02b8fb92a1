import Cryptography
import Foundation
import Identifiers
import JSON
import LocalFiles
import Redirect
import StoragePorts
import Synchronization

/// The node of a shared storage that a data folder belongs to, as a JSON file:
/// `{"node":"…","slot":3,"time":{"boot":"…","offset":1,"heardAt":1}}`. The slot is present once a storage has assigned
/// one, and the time once its server has told it: a ``TimeNote``, and the start of the machine that it belongs to. The
/// member `database` tells the database from its copies. The member `seals` is the same number of the database in which
/// the seals of ledgers are demanded; a version that does not know it leaves it out when it writes the file.
struct NodeFile: Sendable {
    /// Guards the file while it is read and written again; copies of this value share it.
    private final class Turn: Sendable {
        private let mutex = Mutex(())

        func run<Value>(_ body: () throws -> Value) rethrows -> Value { try mutex.withLock { _ in try body() } }
    }

    private let file: SecretFile
    private let folder: String
    private let turn = Turn()

    init(in folder: String) {
        self.folder = folder
        file = SecretFile(path: "\(folder)/\(FolderFile.node)")
    }

    /// The id of the node; `nil` if the folder has none yet.
    var id: FolderID? {
        get throws(DataFolderError) { try known()?.id }
    }

    private struct Content {
        let id: FolderID
        var slot: NodeSlot?
        var time: (boot: String, note: TimeNote)?
        var database: String?
        var seals: String?
    }

    /// The number of the database in which the seals of ledgers are demanded; `nil` for none.
    var sealedDatabase: String? {
        get throws(DataFolderError) { try known()?.seals }
    }

    /// The server's time as an earlier process noted it; `nil` if none did since the machine was started.
    var time: TimeNote? {
        guard let noted = (try? known())?.time else { return nil }
        return !noted.boot.isEmpty && noted.boot == Self.bootID ? noted.note : nil
    }

    /// The node of this folder, which gets an id if it has none. On disk on return.
    /// - Parameters:
    ///   - name: `nil` for the name of the host.
    ///   - version: the version of the service.
    ///   - peerAddress: the address by which other nodes reach it.
    func identity(name: NodeName?, version: String, peerAddress: String? = nil) throws -> NodeIdentity {
        let content: Content
        if let bytes = try file.read() {
            guard let known = Self.read(bytes) else { throw DataFolderError.unusable(FolderFile.node, .damaged) }
            content = known
        } else {
            var generator = SecureRandom()
            content = Content(id: FolderID(using: &generator))
            try write(content)
        }
        let host = ProcessInfo.processInfo.hostName
        let usual = NodeName(String(host.prefix { $0 != "." })) ?? NodeName("node-\(content.id.description.prefix(8))")
        guard let name = name ?? usual else { throw DataFolderError.unusable(FolderFile.node, .damaged) }
        return NodeIdentity(
            id: content.id, slot: content.slot, name: name, place: place(on: host), version: version,
            peerAddress: peerAddress)
    }

    /// Notes the slot that a storage has assigned. On disk on return.
    func store(_ slot: NodeSlot, of node: NodeIdentity) throws {
        guard node.slot != slot else { return }
        try turn.run {
            var content = try known() ?? Content(id: node.id)
            content.slot = slot
            try write(content)
        }
    }

    /// Notes the server's time, if the folder has a node. On disk on return.
    func store(_ time: TimeNote) throws {
        try turn.run {
            guard var content = try known() else { return }
            content.time = (Self.bootID, time)
            try write(content)
        }
    }

    /// Notes that the seals of ledgers are demanded in the database with this number, if the folder has a node. On disk
    /// on return.
    func store(sealedDatabase number: String) throws {
        try turn.run {
            guard var content = try known(), content.seals != number else { return }
            content.seals = number
            try write(content)
        }
    }

    /// Notes the number of the database, if the folder has a node. On disk on return.
    /// - Returns: whether another one was noted.
    func store(database number: String) throws -> Bool {
        try turn.run {
            guard var content = try known(), content.database != number else { return false }
            let isOther = content.database != nil
            content.database = number
            try write(content)
            return isOther
        }
    }

    private func known() throws(DataFolderError) -> Content? { try file.read().flatMap(Self.read) }

    /// Another folder, and a copy of this one, has another place, even the copy on a cloned machine or volume with the
    /// same name and path. It also changes when the machine is restarted.
    private func place(on host: String) -> String {
        let numbers = FileStatus(following: folder).map { "\($0.identity.device) \($0.inode)" } ?? "unknown"
        return "\(host) \(ServiceSettings.absolute(folder).path) \(numbers) \(Self.bootID)"
    }

    static let bootIDPath = "/proc/sys/kernel/random/boot_id"

    /// Random for each start of the machine. Empty if `/proc` does not exist, or shows only processes.
    static var bootID: String {
        (try? String(contentsOfFile: bootIDPath, encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }

    private func write(_ content: Content) throws {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("node", content.id.description)
            if let slot = content.slot { writer.member("slot", Int(slot.rawValue)) }
            if let database = content.database { writer.member("database", database) }
            if let seals = content.seals { writer.member("seals", seals) }
            guard let time = content.time else { return }
            writer.key("time")
            writer.object { writer in
                writer.member("boot", time.boot)
                writer.member("offset", time.note.offset)
                writer.member("heardAt", time.note.heardAt.millisecondsSince1970)
                guard !time.note.gaps.isEmpty else { return }
                writer.key("gaps")
                writer.array { writer in
                    for gap in time.note.gaps {
                        writer.object { writer in
                            if gap.start > .distantPast {
                                writer.member("from", gap.start.millisecondsSince1970)
                            }
                            writer.member("through", gap.end.millisecondsSince1970)
                        }
                    }
                }
            }
        }
        try file.write(writer.bytes + [UInt8(ascii: "\n")])
    }

    private static func read(_ bytes: [UInt8]) -> Content? {
        guard case .object(let members)? = try? JSONValue.parse(bytes), case .string(let text)? = members["node"],
            let id = FolderID(text)
        else { return nil }
        var content = Content(id: id, time: members["time"].flatMap(readTime))
        if case .string(let database)? = members["database"] { content.database = database }
        if case .string(let seals)? = members["seals"] { content.seals = seals }
        guard let slot = members["slot"] else { return content }
        guard case .number(let number) = slot, let value = number.integer(as: UInt8.self).flatMap(NodeSlot.init) else {
            return nil
        }
        content.slot = value
        return content
    }

    /// A time that cannot be read counts as missing, because a node can start without it.
    private static func readTime(_ value: JSONValue) -> (boot: String, note: TimeNote)? {
        guard case .object(let members) = value, case .string(let boot)? = members["boot"],
            let offset = integer(members["offset"]), let heardAt = integer(members["heardAt"])
        else { return nil }
        var note = TimeNote(offset: offset, heardAt: Timestamp(millisecondsSince1970: heardAt))
        guard let list = members["gaps"] else { return (boot, note) }
        guard case .array(let gaps) = list else { return nil }
        for gap in gaps {
            guard case .object(let members) = gap, let through = integer(members["through"]) else { return nil }
            let from = members["from"] == nil ? Timestamp.distantPast.millisecondsSince1970 : integer(members["from"])
            guard let from else { return nil }
            note.gaps.append(
                ClockGap(
                    from: Timestamp(millisecondsSince1970: from), through: Timestamp(millisecondsSince1970: through)))
        }
        return (boot, note)
    }

    private static func integer(_ value: JSONValue?) -> Int64? {
        guard case .number(let number)? = value else { return nil }
        return number.integer(as: Int64.self)
    }
}
