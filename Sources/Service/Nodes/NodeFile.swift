import Cryptography
import Foundation
import Identifiers
import JSON
import Organizations

/// Which node of a shared storage a data folder belongs to, as a JSON file: `{"node":"…","slot":3}`. The slot is there once
/// a storage has given one.
struct NodeFile {
    private let file: SecretFile
    private let folder: String

    init(in folder: String) {
        self.folder = folder
        file = SecretFile(path: "\(folder)/\(FolderFile.node)")
    }

    /// The id of the node; `nil` where the folder has none yet.
    var id: FolderID? { (try? file.read()).flatMap { $0 }.flatMap(Self.read)?.id }

    private struct Content {
        let id: FolderID
        let slot: NodeSlot?
    }

    /// The node of this folder, which gets an id where it has none. On disk on return.
    /// - Parameters:
    ///   - name: `nil` for that of the host.
    ///   - version: of the service.
    ///   - peerAddress: where other nodes reach it.
    func identity(name: NodeName?, version: String, peerAddress: String? = nil) throws -> NodeIdentity {
        let content: Content
        if let bytes = try file.read() {
            guard let known = Self.read(bytes) else { throw DataFolderError.unusable(FolderFile.node, .damaged) }
            content = known
        } else {
            var generator = SecureRandom()
            content = Content(id: FolderID(using: &generator), slot: nil)
            try write(content)
        }
        let host = ProcessInfo.processInfo.hostName
        let usual = NodeName(String(host.prefix { $0 != "." })) ?? NodeName("node-\(content.id.description.prefix(8))")
        guard let name = name ?? usual else { throw DataFolderError.unusable(FolderFile.node, .damaged) }
        return NodeIdentity(
            id: content.id, slot: content.slot, name: name, place: place(on: host), version: version,
            peerAddress: peerAddress)
    }

    /// Notes the slot that a storage has given. On disk on return.
    func note(_ slot: NodeSlot, of node: NodeIdentity) throws {
        guard node.slot != slot else { return }
        try write(Content(id: node.id, slot: slot))
    }

    /// Another folder, and a copy of this one, has another, also the copy that a cloned machine or volume has under the same
    /// name and path. After the machine was started anew it is another one, too.
    private func place(on host: String) -> String {
        let numbers = FileStatus(following: folder).map { "\($0.identity.device) \($0.inode)" } ?? "unknown"
        return "\(host) \(ServiceSettings.absolute(folder).path) \(numbers) \(Self.bootID)"
    }

    static let bootIDPath = "/proc/sys/kernel/random/boot_id"

    /// Random for each start of the machine. It is none where `/proc` is not there, or has processes alone.
    static var bootID: String {
        (try? String(contentsOfFile: bootIDPath, encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }

    private func write(_ content: Content) throws {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("node", content.id.description)
            if let slot = content.slot { writer.member("slot", Int(slot.rawValue)) }
        }
        try file.write(writer.bytes + [UInt8(ascii: "\n")])
    }

    private static func read(_ bytes: [UInt8]) -> Content? {
        guard case .object(let members)? = try? JSONValue.parse(bytes), case .string(let text)? = members["node"],
            let id = FolderID(text)
        else { return nil }
        guard let slot = members["slot"] else { return Content(id: id, slot: nil) }
        guard case .number(let number) = slot, let value = number.integer(as: UInt8.self).flatMap(NodeSlot.init) else {
            return nil
        }
        return Content(id: id, slot: value)
    }
}
