import Identifiers
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage
@testable import Service

/// A move whose process ends at any point is completed or taken back by one command, and no change is lost.
@Suite struct BrokenOffMoveTests {
    /// The points that a move from each storage comes to.
    private static let points: [(StorageKind, MigrationMilestone)] = {
        let all: [MigrationMilestone] = [
            .begun, .claimed, .copying, .copied, .ringTaken, .inPlace, .switched, .told, .served,
        ]
        let ofFile = all.filter { ![.claimed, .ringTaken, .inPlace].contains($0) }
        return all.map { (StorageKind.postgres, $0) } + ofFile.map { (StorageKind.sqlite, $0) }
    }()
    private static let afterSwitch: [MigrationMilestone] = [.switched, .told, .served]

    private func other(_ kind: StorageKind) -> StorageKind { kind == .sqlite ? .postgres : .sqlite }

    private func breakOff(_ folder: MovingFolder, _ from: StorageKind, at point: MigrationMilestone) async {
        await #expect(throws: MovingFolder.Killed.self) {
            try await folder.move(to: other(from), endingAt: point)
        }
    }

    /// Nothing is left of the move, and every process can use the storage that counts.
    private func expectEnd(_ folder: MovingFolder, in kind: StorageKind, isMoved: Bool) async throws {
        let manifest = try #require(try folder.manifest)
        #expect(manifest.storage == kind)
        #expect(isMoved ? manifest.move?.state == .done : manifest.move == nil)
        #expect(!folder.made.has(MigrationFiles.copyName))
        let note = try await folder.note()
        switch (kind, isMoved) {
        case (.postgres, _): #expect(note == folder.made.id.description)
        case (.sqlite, true): #expect(note?.hasPrefix(MigratedDatabase.beginning) == true)
        case (.sqlite, false): break
        }
        if kind == .postgres, !isMoved { #expect(!folder.made.has(FolderDatabases.storageName)) }
        try await folder.create("globex")
        #expect(try await folder.organizations() == ["acme", "globex"])
    }

    @Test("the same command completes it", arguments: points)
    func again(_ from: StorageKind, _ point: MigrationMilestone) async throws {
        try await MovingFolder.with(from) { folder in
            await breakOff(folder, from, at: point)
            let outcome = try await folder.move(to: other(from))
            #expect((outcome.report == nil) == Self.afterSwitch.contains(point))
            try await expectEnd(folder, in: other(from), isMoved: true)
        }
    }

    @Test("it is given up, or completed once the new database counts", arguments: points)
    func abandoned(_ from: StorageKind, _ point: MigrationMilestone) async throws {
        try await MovingFolder.with(from) { folder in
            await breakOff(folder, from, at: point)
            let isMoved = Self.afterSwitch.contains(point)
            #expect(try await folder.abandon() == isMoved)
            try await expectEnd(folder, in: isMoved ? other(from) : from, isMoved: isMoved)
            await #expect(throws: StorageMigrationError.self) { try await folder.abandon() }
        }
    }

    @Test(
        "when giving up ends early, either command goes on from there, and no row of the old copy is used",
        arguments: [MigrationMilestone.givenUp, .copyRemoved, .released], [true, false])
    func givenUp(_ point: MigrationMilestone, _ isMovedAgain: Bool) async throws {
        try await MovingFolder.with(.postgres) { folder in
            await breakOff(folder, .postgres, at: .inPlace)
            #expect(folder.made.has(FolderDatabases.storageName))
            await #expect(throws: MovingFolder.Killed.self) { try await folder.abandon(endingAt: point) }
            if isMovedAgain {
                try folder.run("UPDATE organizations SET name = 'renamed'")
                try await folder.move(to: .sqlite)
                #expect(try await folder.organizations() == ["renamed"])
            } else {
                try await folder.abandon()
                try await expectEnd(folder, in: .postgres, isMoved: false)
            }
        }
    }

    @Test("a service that starts while it is open writes nothing, and no other node starts on the source")
    func open() async throws {
        try await MovingFolder.with(.postgres) { folder in
            await breakOff(folder, .postgres, at: .copied)
            let statuses = try await folder.start { $0.statuses() }
            #expect(statuses.first == .readOnly)
            await #expect(throws: MovingDatabase.self) {
                _ = try await PostgresStorage.open(
                    folder.server, folder: folder.made.id, isNew: false, node: nil,
                    erasureKey: try StorageMigration(folder.settings, to: "sqlite", environment: [:]).erasureKey(),
                    ledgerHost: "links.example", observer: NoRuleObserver(), clock: { .noon })
            }
        }
    }

    @Test(
        "a copy is continued if nothing can have changed since, and begun anew otherwise",
        arguments: [
            ("UPDATE organizations SET name = 'renamed'", ["acme"]),
            ("UPDATE organizations SET name = 'renamed'; UPDATE writer SET generation = generation + 1", ["renamed"]),
        ])
    func changed(_ change: String, _ names: [String]) async throws {
        try await MovingFolder.with(.postgres) { folder in
            await breakOff(folder, .postgres, at: .copied)
            try folder.run(change)
            try await folder.move(to: .sqlite)
            #expect(try await folder.organizations() == names)
        }
    }

    @Test("a copy is begun anew if the source had lost the move's note, for example because it was put back")
    func lostNote() async throws {
        try await MovingFolder.with(.postgres) { folder in
            await breakOff(folder, .postgres, at: .copied)
            try folder.run(
                "UPDATE folder SET id = '\(folder.made.id)'; UPDATE organizations SET name = 'renamed'")
            try await folder.move(to: .sqlite)
            #expect(try await folder.organizations() == ["renamed"])
        }
    }

    @Test("a folder whose copy was left by an earlier version begins anew")
    func left() async throws {
        try await MovingFolder.with(.postgres) { folder in
            await breakOff(folder, .postgres, at: .copied)
            var manifest = try #require(try folder.manifest)
            manifest.abandonMove()
            try manifest.write(in: folder.made.path)
            try folder.run(
                "UPDATE folder SET id = '\(folder.made.id)'; UPDATE organizations SET name = 'renamed'")
            try await folder.move(to: .sqlite)
            #expect(try await folder.organizations() == ["renamed"])
        }
    }
}
