import Testing

@testable import consentlink

@Suite struct RecordMemberTests {
    @Test(
        "the members of a consent record are named, and no other name is",
        arguments: [
            ("", "x", "x"), ("/state", "is none", "/state is none"), ("/state", "", "/state does not fit"),
            ("/evidence", "is no object", "/evidence is no object"),
            ("/evidence/notice/sha256", "is none", "/evidence/notice/sha256 is none"),
            ("/ana@example.com", "unknown member", "it has an unknown member"),
            ("/evidence/ana", "unknown member", "/evidence has an unknown member"),
            ("/evidence/notice/ana/bo", "unknown member", "/evidence/notice has an unknown member"),
            ("/state/ana", "unknown member", "/state has an unknown member"),
            ("/ana/state", "unknown member", "it has an unknown member"),
        ])
    func fault(_ pointer: String, _ detail: String, _ told: String) {
        #expect(RecordMember.fault(at: pointer, detail) == told)
    }
}
