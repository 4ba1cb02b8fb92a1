import Organizations

/// The texts of the page about an organization's keys.
struct APIKeyTexts: Sendable {
    let title: String
    let lead: String
    let caption: String
    let id: String
    let name: String
    let scopes: String
    let made: String
    let used: String
    let neverUsed: String
    let usedHint: String
    let delete: String
    let deleted: String
    let empty: String
    let make: String
    let nameHint: String
    let mayGrant: String
    let more: String
    let tooMuch: String
    let noScope: String
    let nameUnfit: String
    let scope: @Sendable (Scope) -> String

    static let all = Wording(
        english: APIKeyTexts(
            title: "Keys", lead: "Programs and people sign in with keys. Only a key’s hash is kept.",
            caption: "Keys of this organization", id: "ID", name: "Name", scopes: "Scopes",
            made: "Made", used: "Last used", neverUsed: "none recorded",
            usedHint: "The last use is exact to ten minutes.", delete: "Delete", deleted: "The key is deleted.",
            empty: "There is no key.", make: "Make a key", nameHint: "To tell it apart from others; may be empty.",
            mayGrant: "Scopes that you may give", more: "More keys",
            tooMuch: "You can give only scopes that you have yourself.", noScope: "Choose at least one scope.",
            nameUnfit: """
                A name has at most \(APIKey.maximumNameLength) bytes, in one line; letters with accents have \
                several. No key was made.
                """,
            scope: { scope in
                switch scope {
                case .compose: "compose: make messages and payloads"
                case .consent: "consent: record and query consent"
                case .read: "read: all recorded data, including people"
                case .manage: "manage: settings, keys, erasure"
                case .report: "report: numbers that name no person"
                case .deliver: "deliver: pass events on, for a relay"
                }
            }),
        german: APIKeyTexts(
            title: "Schlüssel",
            lead: """
                Programme und Menschen melden sich mit Schlüsseln an. Gespeichert ist nur der Hash eines Schlüssels.
                """,
            caption: "Schlüssel dieser Organisation", id: "ID", name: "Name", scopes: "Rechte",
            made: "Erstellt", used: "Zuletzt benutzt", neverUsed: "keine aufgezeichnet",
            usedHint: "Die letzte Benutzung ist auf zehn Minuten genau.", delete: "Löschen",
            deleted: "Der Schlüssel ist gelöscht.", empty: "Es gibt keinen Schlüssel.", make: "Schlüssel anlegen",
            nameHint: "Um ihn von anderen zu unterscheiden; darf leer sein.", mayGrant: "Rechte, die Sie geben dürfen",
            more: "Weitere Schlüssel", tooMuch: "Sie können nur Rechte geben, die Sie selbst haben.",
            noScope: "Wählen Sie mindestens ein Recht.",
            nameUnfit: """
                Ein Name hat höchstens \(APIKey.maximumNameLength) Bytes, in einer Zeile; Umlaute haben mehrere. \
                Kein Schlüssel wurde angelegt.
                """,
            scope: { scope in
                switch scope {
                case .compose: "compose: Nachrichten und Inhalte erstellen"
                case .consent: "consent: Einwilligungen aufzeichnen und abfragen"
                case .read: "read: alles Aufgezeichnete, Menschen eingeschlossen"
                case .manage: "manage: Einstellungen, Schlüssel, Löschung"
                case .report: "report: Zahlen, die niemanden nennen"
                case .deliver: "deliver: Ereignisse weitergeben, für ein Relay"
                }
            }))
}
