/// Why the service is not ready, in the language of the page. The service says it in English, to programs as to people.
struct ReadinessReason: Equatable {
    /// In the language of the page.
    let text: String
    /// What follows it in English, such as an error's own words; empty for nothing.
    let english: String

    /// - Parameter reason: as the service says it.
    init(_ reason: String, in language: ConsoleLanguage) {
        switch language {
        case .english: (text, english) = (reason, "")
        case .german: (text, english) = Self.german(reason)
        }
    }

    private static let whole = [
        "the disk is full": "Die Platte ist voll",
        "the database cannot be reached": "Die Datenbank ist nicht erreichbar",
        "the storage takes no writes while it is moved to another one":
            "Der Speicher nimmt nichts an, während er in einen anderen umzieht",
        "the node does not reach the database that it shares with others":
            "Der Knoten erreicht die Datenbank nicht, die er mit anderen teilt",
        "the node has not the role links": "Dieser Knoten hat die Rolle links nicht",
        "the node has not the role api": "Dieser Knoten hat die Rolle api nicht",
    ]

    /// Before what an error says, or an organization's name.
    private static let beginnings = [
        ("clicks cannot be recorded: ", "Klicks können nicht aufgezeichnet werden: "),
        ("clicks are not recorded: ", "Klicks werden nicht aufgezeichnet: "),
        ("nothing is acknowledged until a restart: ", "Bis zu einem Neustart wird nichts bestätigt: "),
        (
            "the store has failed and takes nothing more until a restart: ",
            "Der Speicher ist ausgefallen und nimmt bis zu einem Neustart nichts mehr an: "
        ),
        ("the ledgers cannot be checked: ", "Die Protokolle können nicht geprüft werden: "),
        (
            "checkpoints cannot be signed until a restart: ",
            "Prüfpunkte können bis zu einem Neustart nicht signiert werden: "
        ),
        ("checkpoints cannot be written: ", "Prüfpunkte können nicht geschrieben werden: "),
        ("a ledger is closed: ", "Ein Protokoll ist geschlossen: "),
    ]

    private static let (clock, clockEnd) = ("the system's clock is ", " s behind the time of what is stored; set it")
    private static let (must, mustEnd) = (" and must be ", ": a crash would lose what was acknowledged")

    private static func german(_ reason: String) -> (String, String) {
        if let known = whole[reason] { return (known, "") }
        for (beginning, words) in beginnings where reason.hasPrefix(beginning) {
            return (words, String(reason.dropFirst(beginning.count)))
        }
        if reason.hasPrefix(clock), reason.hasSuffix(clockEnd) {
            let seconds = reason.dropFirst(clock.count).dropLast(clockEnd.count)
            return ("Die Uhr des Systems geht gegen die Zeit des Gespeicherten \(seconds) s nach; stellen Sie sie", "")
        }
        if reason.hasSuffix(mustEnd), reason.contains(must) {
            let setting = String(reason.dropLast(mustEnd.count))
            return ("Bei einem Absturz ginge Bestätigtes verloren: ", setting)
        }
        return ("", reason)
    }
}
