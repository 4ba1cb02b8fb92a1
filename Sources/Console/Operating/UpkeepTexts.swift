import UseCases

/// What the page of backups and retention says.
struct UpkeepTexts: Sendable {
    let title: String
    let lead: String
    let backups: String
    let name: String
    let begun: String
    let size: String
    let noBackup: String
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
    let overdue: String
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
            lead: "What can be put back, and what is forgotten next.",
            backups: "Backups",
            name: "Name", begun: "Begun", size: "Size", noBackup: "There is no backup.", make: "Make a backup now",
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
                }
            },
            retention: "Retention", organization: "Organization", interactions: "Interactions kept",
            decisions: "Decisions about people kept", nextDue: "Next due", days: { "\($0) days" }, forEver: "for ever",
            nothingDue: "nothing",
            overdue: "Overdue",
            more: "Later organizations",
            empty: "There is no organization yet.",
            jobs: "Work in the background", job: "Job", holder: "Done by", forgetting: "Forgets what is kept no longer",
            thisNode: "this node", otherNode: "another node, or none now"),
        german: UpkeepTexts(
            title: "Sicherungen und Fristen",
            lead: "Was zurückgeholt werden kann, und was als Nächstes vergessen wird.",
            backups: "Sicherungen",
            name: "Name",
            begun: "Begonnen",
            size: "Größe",
            noBackup: "Es gibt keine Sicherung.",
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
                }
            },
            retention: "Fristen", organization: "Organisation", interactions: "Interaktionen aufbewahrt",
            decisions: "Entscheidungen über Menschen aufbewahrt",
            nextDue: "Als Nächstes fällig",
            days: { "\($0) Tage" },
            forEver: "für immer", nothingDue: "nichts", overdue: "Überfällig", more: "Spätere Organisationen",
            empty: "Es gibt noch keine Organisation.",
            jobs: "Arbeit im Hintergrund",
            job: "Aufgabe",
            holder: "Erledigt von",
            forgetting: "Vergisst, was nicht länger aufbewahrt wird", thisNode: "diesem Knoten",
            otherNode: "einem anderen Knoten, oder gerade keinem"))
}
