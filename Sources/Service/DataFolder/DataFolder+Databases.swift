import Identifiers
import Logging

extension DataFolder {
    /// Checks that the databases belong to the folder, and have the ledger of every checkpoint. A folder without a
    /// manifest gets one.
    ///
    /// The operator may restore a server's database to an earlier state while nodes run. Nodes that start then continue
    /// with that state and their mirrors; the operator is told.
    ///
    /// - Throws: ``DataFolderError/unusable(_:)``; the databases are then closed.
    func confirm(_ databases: FolderDatabases, isOnServer: Bool, now: Timestamp, _ logger: Logger) async throws {
        do {
            try requireOwn(databases)
            let lost = try await checkpointsWithoutLedger(databases)
            guard lost.isEmpty || isOnServer else { throw DataFolderError.unusable(lost) }
            for finding in lost {
                logger.critical("\(finding.description)", metadata: ["remedy": "\(finding.remedy(in: path))"])
            }
            sign()
            guard events.contains(.unmarked) else { return }
            try databases.store(id)
            let (ring, file) = try keyRing()
            try file.write(ring)
            let manifest = FolderManifest(folder: id, madeAt: now, isComplete: true)
            try SecretFile(path: "\(path)/\(FolderFile.manifest)").write(manifest.bytes)
        } catch {
            try? databases.close()
            throw error
        }
    }

    private func requireOwn(_ databases: FolderDatabases) throws {
        let isUnmarked = events.contains(.unmarked)
        let foreign = try databases.folders().filter { _, folder in folder.map { $0 != id } ?? !isUnmarked }
        guard foreign.isEmpty else { throw DataFolderError.unusable(foreign.map { FolderFinding($0.name, .foreign) }) }
    }

    private func checkpointsWithoutLedger(_ databases: FolderDatabases) async throws -> [FolderFinding] {
        let known = try await databases.organizationNames()
        return try checkpointFiles().names().filter { !known.contains($0) }
            .map { FolderFinding("\(FolderFile.checkpoints)/\($0)\(CheckpointFiles.ending)", .withoutLedger) }
    }

    func log(to logger: Logger) {
        for event in events {
            switch event {
            case .made: logger.warning("there was no data folder; a new one was made", metadata: ["folder": "\(id)"])
            case .unmarked:
                logger.warning("the data folder has no manifest; all other files are there, so it gets one")
            case .otherOperatorKey:
                logger.warning(
                    """
                    operator.key is not the one of the last start, and was not made by consentlink init: its holder is \
                    the operator now
                    """)
            case .otherSigningKeys(let keys):
                logger.critical(
                    """
                    keyring.json does not have the signing keys that this node wrote last: links of these keys open \
                    only once the node has the ring of the database
                    """, metadata: ["keys": "\(keys)"])
            case .damagedLog(let log):
                logger.critical("\(log.finding)", metadata: ["remedy": "\(log.finding.remedy(in: path))"])
            case .removedLeftover(let file):
                logger.warning(
                    "an unfinished file of a process that was killed was removed", metadata: ["file": "\(file)"])
            }
        }
    }
}
