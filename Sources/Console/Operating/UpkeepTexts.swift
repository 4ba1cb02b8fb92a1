import UseCases

/// The texts of the page about backups and retention.
struct UpkeepTexts: Sendable {
    let title: String
    let lead: String
    let backups: String
    let name: String
    let begun: String
    let size: String
    /// The name of the column in files.
    let sizeInBytes: String
    let noBackup: String
    /// In place of the backups if their folder cannot be read.
    let unreadable: String
    let make: String
    let makeHint: String
    let done: String
    let failed: @Sendable (BackupError) -> String
    let retention: String
    let organization: String
    let interactions: String
    let decisions: String
    let nextDue: String
    let days: @Sendable (Int) -> String
    let forEver: String
    let nothingDue: String
    let state: String
    let onTime: String
    let overdue: String
    let runs: String
    let lastEnd: String
    let nextRun: String
    let interactionsRemoved: String
    let decisionsCut: String
    let accessesCut: String
    let noRun: String
    let more: String
    let empty: String
    let jobs: String
    let job: String
    let holder: String
    let forgetting: String
    let thisNode: String
    let otherNode: String

    static let all = Wording(
        english: UpkeepTexts(
            title: "Backups and retention",
            lead: "The backups, and the data whose retention ends next.",
            backups: "Backups",
            name: "Name", begun: "Begun", size: "Size", sizeInBytes: "Size in bytes",
            noBackup: "There is no backup.",
            unreadable: "The folder for backups cannot be read: see its owner, its rights and its disk.",
            make: "Make a backup now",
            makeHint: """
                It holds everything that was acknowledged before. Where the database is on a server, back that up, \
                too.
                """,
            done: "The backup is made.",
            failed: { error in
                switch error {
                case .underWay: "A backup is being made already."
                case .cannotWrite: "The folder for backups cannot be written: see its owner, its rights and its disk."
                case .overtaken:
                    """
                    People were erased while the backup was made, and it must not keep them. Please try again.
                    """
                case .serviceIsEnding: "The service is ending."
                case .noRoom, .unusable, .changed: "\(error)"
                }
            },
            retention: "Retention", organization: "Organization", interactions: "Interactions kept",
            decisions: "Decisions about people kept", nextDue: "Next due",
            days: { $0 == 1 ? "1 day" : "\($0) days" }, forEver: "for ever",
            nothingDue: "nothing", state: "State", onTime: "On time", overdue: "Overdue",
            runs: "Deleted by this node since its start", lastEnd: "Last run ended", nextRun: "Next run",
            interactionsRemoved: "Interactions removed", decisionsCut: "Decisions without their person",
            accessesCut: "Looks without their person",
            noRun: "This node has not run retention since its start: the table below shows which node does.",
            more: "More organizations",
            empty: "There is no organization yet.",
            jobs: "Work in the background", job: "Job", holder: "Done by",
            forgetting: "Deletes data whose retention ended",
            thisNode: "this node", otherNode: "another node, or none now"),
        german: UpkeepTexts(
            title: "Sicherungen und Fristen",
            lead: "Was zurückgeholt werden kann, und was als Nächstes vergessen wird.",
            backups: "Sicherungen",
            name: "Name",
            begun: "Begonnen",
            size: "Größe",
            sizeInBytes: "Größe in Byte",
            noBackup: "Es gibt keine Sicherung.",
            unreadable: "Der Ordner für Sicherungen ist nicht lesbar: Sehen Sie nach Besitzer, Rechten und Platte.",
            make: "Jetzt sichern",
            makeHint: """
                Sie enthält alles, was vorher bestätigt war. Liegt die Datenbank auf einem Server, sichern Sie auch \
                diese.
                """,
            done: "Die Sicherung ist gemacht.",
            failed: { error in
                switch error {
                case .underWay: "Eine Sicherung wird gerade gemacht."
                case .cannotWrite:
                    """
                    In den Ordner für Sicherungen kann nicht geschrieben werden: Sehen Sie nach Besitzer, Rechten und \
                    Platte.
                    """
                case .overtaken:
                    """
                    Während der Sicherung wurden Menschen gelöscht, und sie darf sie nicht enthalten. Bitte versuchen \
                    Sie es noch einmal.
                    """
                case .serviceIsEnding: "Der Dienst endet gerade."
                case .noRoom(let needed, let free):
                    """
                    Für eine Sicherung ist kein Platz: \(needed >> 20 + 1) MiB müssen frei sein, mit dem, was disk-floor \
                    für den Dienst freihält, und \(free >> 20) MiB sind es.
                    """
                case .unusable(let flaws):
                    """
                    Es gibt keine neue Sicherung, denn mit diesen Dateien des Datenordners wäre sie nicht zu gebrauchen: \
                    \(flaws.map(\.file).joined(separator: ", ")). Holen Sie sie aus einer älteren Sicherung zurück, \
                    bevor der Dienst endet, und sichern Sie noch einmal. Was sonst nicht stimmt, sagt consentlink doctor.
                    """
                case .changed(let flaws):
                    """
                    Es gibt keine neue Sicherung, denn die Tabellen dieser Datenbanken wurden geändert, und kein Dienst \
                    startet damit: \(flaws.map(\.file).joined(separator: ", ")). Was zu tun ist, sagt consentlink doctor.
                    """
                }
            },
            retention: "Fristen", organization: "Organisation", interactions: "Interaktionen aufbewahrt",
            decisions: "Entscheidungen über Menschen aufbewahrt",
            nextDue: "Als Nächstes fällig",
            days: { $0 == 1 ? "1 Tag" : "\($0) Tage" },
            forEver: "für immer", nothingDue: "nichts", state: "Zustand", onTime: "Rechtzeitig", overdue: "Überfällig",
            runs: "Von diesem Knoten seit seinem Start gelöscht", lastEnd: "Letzter Lauf endete",
            nextRun: "Nächster Lauf", interactionsRemoved: "Interaktionen entfernt",
            decisionsCut: "Entscheidungen ohne ihre Person", accessesCut: "Einsichten ohne ihre Person",
            noRun: """
                Dieser Knoten hat seit seinem Start nichts gelöscht und nicht danach gesehen: Wer es tut, steht unten.
                """,
            more: "Weitere Organisationen",
            empty: "Es gibt noch keine Organisation.",
            jobs: "Arbeit im Hintergrund",
            job: "Aufgabe",
            holder: "Erledigt von",
            forgetting: "Löscht, was lange genug aufbewahrt wurde", thisNode: "diesem Knoten",
            otherNode: "einem anderen Knoten, oder gerade keinem"))
}
