import StoragePorts
import Testing
import UseCases

@testable import Console

/// Why the service is not ready, as pages say it.
@Suite struct ReadinessTextTests {
    @Test(
        "English pages have the service's own words",
        arguments: [
            (ReadinessReason.diskFull, "the disk is full"),
            (.storageUnusable("something new: \"x\""), "something new: \"x\""),
            (.storageUnsafe(fsync), "fsync is off and must be on: a crash would lose acknowledged writes"),
        ])
    func english(_ reason: ReadinessReason, _ text: String) {
        let shown = ReadinessText(reason, in: .english)
        #expect(shown.text == text && shown.english.isEmpty)
    }

    @Test(
        "German pages say it in German, and what an error says itself stays as it is",
        arguments: [
            (ReadinessReason.diskFull, "Die Platte ist voll", ""),
            (.stopping, "Der Dienst wird beendet", ""),
            (.roleMissing("api"), "Dieser Knoten hat die Rolle api nicht", ""),
            (.ledgerClosed("acme: it differs"), "Ein Protokoll ist geschlossen: ", "acme: it differs"),
            (
                .clockBehind(seconds: 71),
                "Die Uhr des Systems geht gegen die Zeit des Gespeicherten 71 s nach; stellen Sie sie", ""
            ),
            (.storageUnsafe(fsync), "Bei einem Absturz ginge Bestätigtes verloren: ", "fsync is off and must be on"),
            (.storageUnsafe(.other("no standby has it")), "", "no standby has it"),
            (.storageUnusable("something new"), "", "something new"),
        ])
    func german(_ reason: ReadinessReason, _ text: String, _ english: String) {
        let shown = ReadinessText(reason, in: .german)
        #expect(shown.text == text && shown.english == english)
    }

    private static let fsync = DurabilityRisk.setting("fsync is off and must be on")
}
