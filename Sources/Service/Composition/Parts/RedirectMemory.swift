import Cryptography
import Identifiers
import Logging
import Redirect
import SQLiteMirror

/// The data in memory by which a click is judged. It follows every change of the storage.
struct RedirectMemory {
    let recordingRules: RecordingRulesTable
    let links: LinkTable
    /// What the node knows without its server; `nil` if the storage is in the folder.
    let mirror: SQLiteMirror?
    /// Keeps all of them in the state of the storage.
    let follower: RuleFollower

    /// Opens the mirror of a node. Blocks the thread.
    init(of folder: borrowing DataFolder, settings: ServiceSettings, logger: Logger) throws {
        recordingRules = RecordingRulesTable(known: KnownUntil(isShared: settings.storage.kind == .postgres))
        mirror =
            settings.storage.kind == .postgres
            ? Self.mirror(in: folder.path, try folder.erasureKey(), logger) : nil
        links = LinkTable(rules: recordingRules)
        follower = RuleFollower(consent: recordingRules, messages: links, mirror: mirror)
    }

    /// - Returns: `nil` if the file cannot be opened or made, for example on a full disk: then the node needs its server.
    private static func mirror(in folder: String, _ secret: SecretBytes, _ logger: Logger) -> SQLiteMirror? {
        do {
            let mirror = try SQLiteMirror(folder: folder, secret: secret)
            try mirror.keepLog()
            return mirror
        } catch {
            logger.error("the mirror cannot be opened", metadata: ["error": "\(error)"])
            return nil
        }
    }
}
