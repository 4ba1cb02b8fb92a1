import Testing

@testable import Console

/// Why the service is not ready, as pages say it.
@Suite struct ReadinessReasonTests {
    @Test("English pages have the service's own words", arguments: ["the disk is full", "something new: \"x\""])
    func english(_ reason: String) {
        let shown = ReadinessReason(reason, in: .english)
        #expect(shown.text == reason && shown.english.isEmpty)
    }

    @Test(
        "German pages say it in German, and what an error says itself stays as it is",
        arguments: [
            ("the disk is full", "Die Platte ist voll", ""),
            ("the node has not the role api", "Dieser Knoten hat die Rolle api nicht", ""),
            ("a ledger is closed: acme: it differs", "Ein Protokoll ist geschlossen: ", "acme: it differs"),
            (
                "the system's clock is 71 s behind the time of what is stored; set it",
                "Die Uhr des Systems geht gegen die Zeit des Gespeicherten 71 s nach; stellen Sie sie", ""
            ),
            (
                "fsync is off and must be on: a crash would lose what was acknowledged",
                "Bei einem Absturz ginge Bestätigtes verloren: ", "fsync is off and must be on"
            ),
            ("something new", "", "something new"),
        ])
    func german(_ reason: String, _ text: String, _ english: String) {
        let shown = ReadinessReason(reason, in: .german)
        #expect(shown.text == text && shown.english == english)
    }
}
