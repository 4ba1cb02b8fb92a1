package import Identifiers
import JSON
package import Ledger
import PostgresClient
import PostgresStorage
import SQLStorage
import StoragePorts

/// Seals a ledger on PostgreSQL as it is stored, for an operator who has found out that its newest entries count:
/// `consentlink database seal`. Nodes may be using the database.
package struct LedgerSealTask: Sendable {
    /// How many entries are shown at most.
    package static let shownEntries = 1_000

    package struct State: Sendable {
        package let head: TreeHead
        /// The greatest tree that was signed, which the ledger continues; `nil` if none was.
        package let signed: TreeHead?
        package let isSealed: Bool
        /// Those behind the signed tree, at most ``LedgerSealTask/shownEntries``.
        package let entries: [LedgerItem]
    }

    private let folder: String
    private let sealing: LedgerSealing

    /// - Throws: ``SettingError`` if the settings name no server; ``DataFolderError``.
    package init(_ settings: ServiceSettings) throws {
        let database = try settings.server
        folder = settings.dataFolder
        let inspection = try FolderInspection(of: folder)
        try inspection.requireUsable()
        guard case .made(let manifest) = inspection.state else { throw DataFolderError.notThere }
        try inspection.require(.postgres)
        let erasureKey = try SecretFile(path: "\(folder)/\(FolderFile.erasureKey)").read(FolderSecrets.secret)
        sealing = LedgerSealing(database, folder: manifest.folder, erasureKey: erasureKey)
    }

    /// Changes nothing.
    /// - Throws: ``LedgerSealRefusal``; a `StoreFailure`.
    package func state(of organization: OrganizationID) async throws -> State {
        let checkpoint = "\(FolderFile.checkpoints)/\(organization)\(CheckpointFiles.ending)"
        let archived = try SecretFile(path: "\(folder)/\(checkpoint)").read()
        let seed = try SecretFile(path: "\(folder)/\(FolderFile.ledgerKey)").read(FolderSecrets.secret)
        do {
            let reading = try await sealing.read(organization, entries: Self.shownEntries) { ledger in
                guard let name = try? KeyName(ledger.origin), name.isLedger(of: organization) else {
                    throw LedgerInconsistency(organization, .derived(.origin))
                }
                let key = try SignerKey(name: name, seed: seed).verifier
                return try [archived, ledger.checkpoint.map { Array($0.utf8) }].compactMap(\.self).map { note in
                    guard let signed = try? SignedCheckpoint(note, by: key) else {
                        throw LedgerInconsistency(organization, .checkpoint)
                    }
                    return signed.head
                }
            }
            guard let reading else { throw LedgerSealRefusal.notFound(organization) }
            if let inconsistency = reading.inconsistency { throw inconsistency }
            return State(
                head: reading.ledger.head, signed: reading.signed, isSealed: reading.ledger.isSealed,
                entries: reading.entries)
        } catch let inconsistency as LedgerInconsistency {
            throw LedgerSealRefusal.departed(inconsistency)
        }
    }

    /// Seals the ledger, whose state this is. Notes it in ``FolderFile/sealed`` of the folder before. Durable on
    /// return.
    /// - Throws: ``LedgerSealRefusal``; a `StoreFailure`; then the ledger has no seal, unless another one has made it.
    package func seal(_ organization: OrganizationID, _ state: State) async throws {
        try note(organization, state, at: .now)
        do {
            guard try await sealing.seal(organization, at: state.head) else { throw LedgerSealRefusal.changed }
        } catch let inconsistency as LedgerInconsistency {
            throw LedgerSealRefusal.departed(inconsistency)
        }
    }

    /// One line for each time. On disk on return.
    private func note(_ organization: OrganizationID, _ state: State, at now: Timestamp) throws {
        let file = SecretFile(path: "\(folder)/\(FolderFile.sealed)")
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time", now.rfc3339)
            writer.member("organization", organization.description)
            writer.member("signed", state.signed?.text)
            writer.member("sealed", state.head.text)
        }
        try file.append(line: writer.bytes)
    }
}

extension TreeHead {
    /// The number of entries, a colon and the root in Base64.
    package var text: String { "\(size):\(root.text)" }
}

/// Why a ledger gets no seal. Nothing was changed in the database.
package enum LedgerSealRefusal: StoreFailure, Hashable {
    case notFound(OrganizationID)
    /// A seal would not open it.
    case departed(LedgerInconsistency)
    /// Something was entered meanwhile.
    case changed

    package var description: String {
        switch self {
        case .notFound(let organization): "the database has no organization \(organization)"
        case .departed(let inconsistency): "a seal would not open this ledger: \(inconsistency)"
        case .changed: "the ledger has changed meanwhile: look at it again"
        }
    }

    package var isTransient: Bool { true }
}
