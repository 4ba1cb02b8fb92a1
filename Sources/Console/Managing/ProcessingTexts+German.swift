import Consent

extension ProcessingTexts {
    static let german = ProcessingTexts(
        title: "Verarbeitungsverzeichnis",
        lead: """
            Was dieser Dienst zu Ihrem Verzeichnis von Verarbeitungstätigkeiten (Art. 30 DSGVO) beiträgt, aus den geltenden \
            Einstellungen. Es ist keine Rechtsberatung.
            """,
        asOf: "Stand", print: "Drucken Sie es mit Ihrem Browser: Nur das Blatt wird gedruckt.",
        caption: "Verarbeitungsverzeichnis", section: "Abschnitt", item: "Punkt", entry: "Eintrag",
        activity: "Verarbeitungstätigkeit", controller: "Verantwortlicher", contact: "Kontakt, Datenschutzbeauftragte",
        toBeAdded: "Vom Verantwortlichen zu ergänzen.", purposes: "Zwecke, für die Nachrichten Einwilligung verlangen",
        noPurposes: "Noch wurde keine Nachricht erstellt.", basis: "Wer gemessen wird",
        basisOf: { enforcement in
            switch enforcement {
            case .restrictive: "Nur Menschen, die eingewilligt haben (restrictive): Art. 6 Abs. 1 lit. a DSGVO."
            case .nonRestrictive:
                """
                Alle, die nicht abgelehnt haben (nonRestrictive): Der Verantwortliche muss eine andere \
                Rechtsgrundlage nennen.
                """
            }
        },
        evidence: "Nachweis der Einwilligung",
        evidenceRequired: "Verlangt: Aufgezeichnet wird nur mit der Angabe, wie und nach welchem Hinweis.",
        evidenceOptional: "Freigestellt: Aufgezeichnet wird auch ohne die Angabe, wie eingewilligt wurde.",
        gpc: "Global Privacy Control", gpcHonored: "Sec-GPC: 1 gilt für diesen Klick als Nein.",
        gpcIgnored: "Wird nicht berücksichtigt.", askAgain: "Pause, bevor zu einem Zweck erneut gefragt wird",
        days: { ProcessingTexts.germanDays($0) },
        data: "Menschen und Daten",
        subjects: "Betroffene",
        subjectsAre: "Empfänger der Nachrichten des Verantwortlichen.",
        identifier: "Kennung des Empfängers",
        inFolder: """
            Wie das System des Verantwortlichen sie angab, in einer Tabelle der Datenbank im Datenordner des Dienstes; \
            alle anderen Daten haben an ihrer Stelle eine Zufallszahl.
            """,
        onServer: """
            Wie das System des Verantwortlichen sie angab, versiegelt unter einem Schlüssel, den der Datenbankserver \
            nicht hat; alle anderen Daten haben an ihrer Stelle eine Zufallszahl.
            """,
        comparedAsEmail: "E-Mail-Adressen werden als solche verglichen.",
        comparedExactly: "Sie wird Byte für Byte verglichen.",
        consents: "Einwilligungen", consentsAre: "Zustand, Zweck, Zeiten und Nachweis: Weg, Hinweis, Sprache.",
        decisions: "Entscheidungen zu messen", decisionsAre: "Grund, Regel, Zeit, Nachricht, Klicks oder Öffnungen.",
        interactions: "Interaktionen",
        interactionsAre: """
            Art, Zeit, Nachricht, Link, Name eines Knopfs, und ob ein Mensch oder eine Maschine sie auslöste.
            """,
        accesses: "Einsichten", accessesAll: "Wer wen wann, worin und warum ansah: in der Konsole und in der API.",
        accessesConsole: """
            Wer wen wann, worin und warum ansah: in der Konsole. In der API werden sie nicht aufgezeichnet.
            """,
        notStored: "Nicht gespeichert",
        notStoredAre: """
            IP-Adressen, Namen und Versionen von Browsern, Geräte- und Werbekennungen, Cookies, Referrer, Klicks von \
            Menschen, die nicht gemessen werden dürfen.
            """,
        periods: "Fristen", untilErasure: "Bis zur Löschung der Person; ein Eintrag ohne Person bleibt.",
        personDropped: { "\(ProcessingTexts.germanDays($0)); danach sagen sie nicht mehr, über wen." },
        removed: { "\(ProcessingTexts.germanDays($0)); danach werden sie entfernt." },
        forEver: "Bis zur Löschung der Person: Keine Frist ist gesetzt.",
        links: "Links zeichnen auf bis zu", backups: "Sicherungen", backupsAre: "Bis der Betreiber sie löscht.",
        recipients: "Wer Daten erhält", endpoints: "Endpunkte (Webhooks)", noEndpoints: "Keiner erfährt etwas.",
        endpoint: { kinds, includesRecipient, isEnabled in
            let person = includesRecipient ? "mit der Kennung des Empfängers" : "ohne die Kennung des Empfängers"
            return "\(kinds), \(person)\(isEnabled ? "" : "; abgeschaltet")."
        },
        others: "Andere",
        noOthers: "Der Dienst sendet nichts an Dritte: keine Statistik, keine Fehler, keine Abfragen.",
        thirdCountries: "Drittländer", measures: "Technische und organisatorische Maßnahmen (Art. 32)",
        pseudonyms: "Pseudonyme",
        pseudonymsAre: """
            Links enthalten eine verschlüsselte, signierte Kennung, die ohne die Schlüssel des Dienstes nichts sagt.
            """,
        integrity: "Unversehrtheit",
        integrityIs: """
            Einwilligungen, Entscheidungen und Einsichten stehen in einem fortlaufenden Protokoll mit signierten \
            Prüfpunkten, als Festlegungen, die niemanden nennen.
            """,
        accessControl: "Zugang",
        accessControlIs: """
            Schlüssel mit Rechten, als Hash gespeichert; Sitzungen von 30 Minuten ohne Benutzung und 12 Stunden \
            insgesamt; jede Verwaltungshandlung steht im Log.
            """,
        storage: "Speicherung",
        storageEmbedded: """
            Dateien, die nur der Benutzer des Dienstes lesen kann, dauerhaft bevor ein Klick beantwortet wird.
            """,
        storageServer: """
            Ein PostgreSQL-Server; Kennungen und Nachweise sind unter einem Schlüssel versiegelt, den der Server nie \
            hat.
            """,
        transport: "Übertragung", transportIs: { "Links beginnen mit \($0)." }, rights: "Rechte der Betroffenen",
        withdrawal: "Widerruf",
        withdrawalIs: { "Eine Seite unter \($0)/p/, ohne Konto, aus jeder Nachricht, die ihre Adresse hat." },
        access: "Auskunft und Übertragbarkeit", accessIs: "Eine Ausgabe von allem über eine Person, als ein Dokument.",
        erasure: "Löschung",
        erasureIs: "Sofort, in allen Dateien; ältere Sicherungen enthalten die Person, bis sie gelöscht werden.",
        consentPage: "Seite zum Einwilligen", noConsentPage: "Keine ist gesetzt.")

    private static func germanDays(_ count: Int) -> String { count == 1 ? "1 Tag" : "\(count) Tage" }
}
