import SQL
import Testing

@testable import Service

@Suite struct FolderFindingTests {
    private static let faults: [(FolderFinding.Fault, String)] = [
        (.missing, "f is missing"), (.empty, "f is empty"),
        (.damaged, "f is damaged: its content is not that of this service, or its end is missing"),
        (.foreign, "f belongs to another data folder"),
        (.foreignCode, "f has a trigger or a view, which this service never makes"),
        (
            .foreignSchema(.missing(SchemaObjectName(type: "index", name: "i"))),
            "f is not as this service makes it: the index i is missing"
        ),
        (.symbolicLink, "f is a symbolic link"),
        (.hardLink, "f has a second name (a hard link)"), (.notAFile, "f is not a regular file"),
        (.notAFolder, "f is not a folder"), (.otherOwner(7, expected: 8), "f belongs to user 7 and not to user 8"),
        (.open(0o644), "f is open to other users (mode 0644)"), (.open(0o1777), "f is open to other users (mode 1777)"),
        (.closedToOwner(0o400), "f does not let its owner read and write (mode 0400)"),
        (.open(0o7), "f is open to other users (mode 0007)"), (.planted, "f was not made by this service"),
        (.withoutLedger, "f is the checkpoint of a ledger that the database does not have"),
        (.moved("the database was moved to a data folder"), "the database was moved to a data folder"),
        (.leftBehind, "f is left over from another database: a backup was copied over the files of the folder"),
        (.commitsLost(3), "f is damaged: 3 or more acknowledged commits behind the damage cannot be read"),
        (.newer, "f was written by a later version of this service"),
        (.lost, "f is empty or does not exist, and should have been made before; check that it is mounted"),
        (.notADataFolder, "f is not empty, and is not a data folder"),
    ]

    @Test("a finding names its file by its place in the folder, and what is wrong with it")
    func descriptions() {
        for (fault, text) in Self.faults {
            let finding = FolderFinding("f", fault)
            #expect(finding.description == text)
            #expect(!finding.description.contains("/data/c"))
        }
    }

    @Test("every finding has a remedy of its own sentence")
    func remedies() {
        for (fault, _) in Self.faults {
            let remedy = FolderFinding("f", fault).remedy(in: "/data/c")
            #expect(remedy.count > 20, "\(fault)")
            #expect(remedy.contains { $0 == "." || $0 == ":" }, "\(fault)")
        }
        #expect(FolderFinding("f", .open(0o644)).remedy(in: "/data/c").contains("chmod -R go= /data/c"))
        #expect(
            FolderFinding("f", .open(0o644)).remedy(in: "/data/Ann's own").hasSuffix(#"go= '/data/Ann'\''s own'"#))
        #expect(FolderFinding("f", .closedToOwner(0o400)).remedy(in: "/d").hasSuffix("chmod -R u+rwX /d"))
        #expect(FolderFinding("f", .otherOwner(7, expected: 8)).remedy(in: "/d").contains("chown -R 8 /d"))
        #expect(FolderFinding(FolderFinding.folder, .lost).remedy(in: "/d").contains("consentlink init --data /d"))
    }

    @Test(
        "what somebody added to a database or took from it costs no data: it is removed or made again",
        arguments: [
            (SchemaDifference.unknown(SchemaObjectName(type: "index", name: "mine")), "sqlite3: DROP INDEX mine;"),
            (.unknown(SchemaObjectName(type: "table", name: "t")), "sqlite3: DROP TABLE t;"),
            (
                .missing(SchemaObjectName(type: "index", name: "consents_in_force")),
                "sqlite3: CREATE INDEX consents_in_force ON consents "
            ),
            (
                .different(SchemaObjectName(type: "index", name: "consents_in_force")),
                "sqlite3: DROP INDEX consents_in_force; then: CREATE INDEX consents_in_force ON consents "
            ),
            (
                .missing(SchemaObjectName(type: "index", name: "other")),
                "as the newest backup has it: SELECT sql FROM sqlite_schema WHERE name = 'other'"
            ),
            // Another version makes it otherwise.
            (
                .missing(SchemaObjectName(type: "index", name: "interactions_by_organization")),
                "SELECT sql FROM sqlite_schema WHERE name = 'interactions_by_organization'"
            ),
        ])
    func schema(_ difference: SchemaDifference, _ text: String) {
        let remedy = FolderFinding("consentlink.db", .foreignSchema(difference)).remedy(in: "/d")
        #expect(remedy.contains(text), "\(remedy)")
        #expect(remedy.contains("Stop the service"))
    }

    @Test("a table that was changed may have taken what it must refuse: the backup from before is restored")
    func changedTable() {
        let people = SchemaObjectName(type: "table", name: "people")
        for difference in [SchemaDifference.missing(people), .different(people), .version(-1)] {
            let remedy = FolderFinding("consentlink.db", .foreignSchema(difference)).remedy(in: "/d")
            #expect(remedy.contains("Restore the newest backup from before"), "\(remedy)")
        }
    }

    @Test("a folder of another user is never given to root: its service could not start any more")
    func otherOwner() {
        let folder = FolderFinding(FolderFinding.folder, .otherOwner(7, expected: 0)).remedy(in: "/d")
        #expect(folder.hasPrefix("Run as the owner: runuser --user NAME -- consentlink") && !folder.contains("chown"))
        // In a folder of root's own.
        #expect(FolderFinding("f", .otherOwner(7, expected: 0)).remedy(in: "/d").contains("chown -R 0 /d"))
    }

    @Test(
        "what was lost has the remedy that fits the file",
        arguments: [
            ("operator.key", "--new-operator-key"), ("spool.db", "--replace-spool"),
            ("keyring.json", "links that were sent do not open"),
            ("erasure.key", "erased recipients are not recognised"),
            ("ledger.key", "no checkpoint can be signed"), (FolderFile.manifest, "it is then made again"),
            ("main.db", "Restore the newest backup into an empty folder."),
        ])
    func losses(_ file: String, _ text: String) {
        for fault in [FolderFinding.Fault.missing, .empty, .damaged] {
            #expect(FolderFinding(file, fault).remedy(in: "/d").contains(text))
        }
    }
}
