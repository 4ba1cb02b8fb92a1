import Interactions
import StoragePorts
import UseCases

/// Why the service is not ready, in the language of the page.
struct ReadinessText: Equatable {
    /// In the language of the page.
    let text: String
    /// Further text in English, such as the message of an error; empty if there is none.
    let english: String

    init(_ reason: ReadinessReason, in language: ConsoleLanguage) {
        switch language {
        case .english: (text, english) = (reason.description, "")
        case .german: (text, english) = Self.german(reason)
        }
    }

    private static func german(_ reason: ReadinessReason) -> (String, String) {
        switch reason {
        case .diskFull: ("Die Platte ist voll", "")
        case .databaseUnreachable: ("Die Datenbank ist nicht erreichbar", "")
        case .storageUnsafe(.setting(let setting)): ("Bei einem Absturz ginge Bestätigtes verloren: ", setting)
        case .storageUnsafe(.other(let fault)), .storageUnusable(let fault): ("", fault)
        case .stopping: ("Der Dienst wird beendet", "")
        case .storageReadOnly: ("Der Speicher nimmt nichts an, während er in einen anderen umzieht", "")
        case .storageFailed(let fault):
            ("Der Speicher ist ausgefallen und nimmt bis zu einem Neustart nichts mehr an: ", fault)
        case .folderLost(let loss): ("Bis zu einem Neustart wird nichts bestätigt: ", loss)
        case .clicksUnrecordable(let fault): ("Klicks können nicht aufgezeichnet werden: ", fault)
        case .clicksUnrecorded(let reason): ("Klicks werden nicht aufgezeichnet: ", reason.explanation)
        case .nodeStale: ("Der Knoten erreicht die Datenbank nicht, die er mit anderen teilt", "")
        case .roleMissing(let role): ("Dieser Knoten hat die Rolle \(role) nicht", "")
        case .clockBehind(let seconds):
            ("Die Uhr des Systems geht gegen die Zeit des Gespeicherten \(seconds) s nach; stellen Sie sie", "")
        case .ledgersUnchecked(let fault): ("Die Protokolle können nicht geprüft werden: ", fault)
        case .checkpointsStopped(let fault): ("Prüfpunkte können bis zu einem Neustart nicht signiert werden: ", fault)
        case .checkpointsUnwritten(let fault): ("Prüfpunkte können nicht geschrieben werden: ", fault)
        case .keyRingUncertain(let fault):
            ("keyring.json hat vielleicht andere Signierschlüssel, als der Dienst verwendet: ", fault)
        case .ledgerClosed(let fault): ("Ein Protokoll ist geschlossen: ", fault)
        }
    }
}
