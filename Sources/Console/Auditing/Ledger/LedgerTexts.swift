/// What the page of the ledger says.
struct LedgerTexts: Sendable {
    let title: String
    let lead: String
    let size: String
    let state: String
    let open: String
    let closed: String
    let closedText: String
    let lastCheck: String
    let notYet: String
    let checkpoint: String
    let checkpointHint: String
    let key: String
    let keyHint: String
    let copy: String
    let copied: String
    let compareTitle: String
    let compareHint: String
    let paste: String
    let compare: String
    let unreadable: String
    let otherLedger: @Sendable (String) -> String
    let forged: String
    let ahead: @Sendable (String, String) -> String
    let departs: @Sendable (String) -> String
    let continues: @Sendable (String, String) -> String
    /// Where the ledger is closed: its hashes do, and what is stored does not.
    let continuesClosed: String
    let exportTitle: String
    let exportHint: String
    let from: String
    let to: String
    let export: String

    static let all = Wording(
        english: LedgerTexts(
            title: "Ledger", lead: "Was anything changed? Every consent record, decision and look stands in one tree.",
            size: "Entries", state: "State", open: "Holds", closed: "Closed",
            closedText: """
                What is stored is not what was entered, so nothing more is entered and nobody is tracked. The operator’s log \
                and the page Health say which entry it is.
                """,
            lastCheck: "All of it was last checked", notYet: "Not yet, since the service started",
            checkpoint: "Newest checkpoint",
            checkpointHint: """
                Keep it where the operator cannot change it. Whoever has it can prove later that nothing of what is in the \
                ledger now was changed, deleted or moved.
                """,
            key: "Key of the ledger",
            keyHint: "With it, consentlink verify checks proofs and exports without this service.",
            copy: "Copy", copied: "Copied", compareTitle: "Does the ledger continue an older checkpoint?",
            compareHint: "Paste all its lines, with the signature below.", paste: "Older checkpoint",
            compare: "Compare",
            unreadable:
                "This is no whole checkpoint: three lines, an empty one, and a signature below. Nothing was compared.",
            otherLedger: { "This is a checkpoint of another ledger: \($0). Nothing was compared." },
            forged: """
                The signature does not hold: the text was changed, or this ledger’s key did not sign it. It says nothing about \
                the ledger.
                """,
            ahead: { old, new in
                """
                Entries are missing: the checkpoint was signed over \(old) entries, and the ledger has \(new). Tell the \
                operator, and keep the checkpoint.
                """
            },
            departs: { old in
                """
                The ledger was changed: it does not begin with the \(old) entries that the checkpoint was signed over. Tell \
                the operator, and keep the checkpoint.
                """
            },
            continues: { old, new in
                "Nothing was changed: all \(old) entries of the checkpoint stand unchanged at the beginning of the \(new) of now."
            },
            continuesClosed: """
                The hashes of the ledger continue the checkpoint, and what is stored does not agree with them: the ledger is \
                closed. Tell the operator, and keep the checkpoint.
                """,
            exportTitle: "Export",
            exportHint: """
                Decisions, consent records, interactions and looks with what proves them, as one archive; its README says \
                how to verify it. It names people.
                """,
            from: "From", to: "Before", export: "Download the export"),
        german: LedgerTexts(
            title: "Protokoll",
            lead: "Wurde etwas geändert? Jede Einwilligung, jede Entscheidung und jede Einsicht steht in einem Baum.",
            size: "Einträge", state: "Zustand", open: "Stimmt", closed: "Geschlossen",
            closedText: """
                Gespeichert ist nicht, was eingetragen wurde. Deshalb wird nichts mehr eingetragen und niemand gemessen. \
                Welcher Eintrag es ist, sagen das Betriebsprotokoll und die Seite Zustand.
                """,
            lastCheck: "Zuletzt ganz geprüft", notYet: "Noch nicht, seit der Dienst läuft",
            checkpoint: "Neuester Prüfpunkt",
            checkpointHint: """
                Bewahren Sie ihn dort auf, wo der Betreiber ihn nicht ändern kann. Wer ihn hat, kann später beweisen, dass \
                nichts von dem, was jetzt im Protokoll steht, geändert, gelöscht oder verschoben wurde.
                """,
            key: "Schlüssel des Protokolls",
            keyHint: "Mit ihm prüft consentlink verify Beweise und Exporte ohne diesen Dienst.", copy: "Kopieren",
            copied: "Kopiert", compareTitle: "Setzt das Protokoll einen älteren Prüfpunkt fort?",
            compareHint: "Fügen Sie alle seine Zeilen ein, mit der Signatur darunter.", paste: "Älterer Prüfpunkt",
            compare: "Vergleichen",
            unreadable: """
                Das ist kein ganzer Prüfpunkt: drei Zeilen, eine leere und darunter eine Signatur. Nichts wurde verglichen.
                """,
            otherLedger: { "Das ist der Prüfpunkt eines anderen Protokolls: \($0). Nichts wurde verglichen." },
            forged: """
                Die Signatur stimmt nicht: Der Text wurde geändert, oder der Schlüssel dieses Protokolls hat ihn nicht \
                unterschrieben. Über das Protokoll sagt er nichts.
                """,
            ahead: { old, new in
                """
                Einträge fehlen: Der Prüfpunkt wurde über \(old) Einträge unterschrieben, und das Protokoll hat \(new). \
                Sagen Sie es dem Betreiber, und behalten Sie den Prüfpunkt.
                """
            },
            departs: { old in
                """
                Das Protokoll wurde geändert: Es beginnt nicht mit den \(old) Einträgen, über die der Prüfpunkt \
                unterschrieben wurde. Sagen Sie es dem Betreiber, und behalten Sie den Prüfpunkt.
                """
            },
            continues: { old, new in
                """
                Nichts wurde geändert: Alle \(old) Einträge des Prüfpunkts stehen unverändert am Anfang der \(new) von jetzt.
                """
            },
            continuesClosed: """
                Die Hashwerte des Protokolls setzen den Prüfpunkt fort, und was gespeichert ist, stimmt nicht mit ihnen \
                überein: Das Protokoll ist geschlossen. Sagen Sie es dem Betreiber, und behalten Sie den Prüfpunkt.
                """,
            exportTitle: "Export",
            exportHint: """
                Entscheidungen, Einwilligungen, Interaktionen und Einsichten mit dem, was sie beweist, als ein Archiv; sein \
                README sagt, wie man es prüft. Es nennt Personen.
                """,
            from: "Ab", to: "Vor", export: "Export herunterladen"))
}
