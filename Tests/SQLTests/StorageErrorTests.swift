import SQL
import Testing

@Suite struct StorageErrorDescriptionTests {
    @Test("each description says what is wrong, in words that name no file")
    func descriptions() {
        let all: [(StorageError, String)] = [
            (.failed(EngineFault(code: "10", text: "disk I/O error")), "disk I/O error (10)"), (.full, "full"),
            (.busy, "in use"),
            (.cannotCreateFile(reason: "Permission denied"), "cannot be made or opened: Permission denied"),
            (.foreignFile, "belongs to another program"),
            (.foreignCode, "has a trigger or a view, which this service never makes"),
            (
                .foreignSchema(.missing(SchemaObjectName(type: "index", name: "i"))),
                "is not as this service makes it: the index i is missing"
            ),
            (
                .setting(name: "synchronous", expected: "2", found: "1"),
                "the setting synchronous of the database must be 2 and is 1"
            ),
            (.newerSchema(found: 9, known: 4), "has schema version 9, this service knows versions up to 4"),
            (.putBack, "was put back to an earlier state"),
            (.unreadable, "a value that cannot be read"),
        ]
        for (error, text) in all { #expect(error.description.contains(text)) }
        #expect(Set(all.map(\.0.description)).count == all.count)
    }

    @Test("only an error that leaves nothing behind says that the call had no effect")
    func withoutEffect() {
        for error in [StorageError.full, .readOnly, .putBack] { #expect(error.isWithoutEffect) }
        let unknown: [StorageError] = [.failed(EngineFault(code: "10", text: "I/O")), .busy, .unreadable]
        #expect(!unknown.contains { $0.isWithoutEffect })
    }
}
