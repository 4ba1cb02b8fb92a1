extension LedgerTexts {
    static let german = LedgerTexts(
        title: "Protokoll",
        lead: "Wurde etwas geändert? Jede Einwilligung, jede Entscheidung und jede Einsicht steht in einem Baum.",
        size: "Einträge", state: "Zustand", open: "Stimmt", closed: "Geschlossen",
        closedText: """
            Die Datenbank weicht von dem ab, was ins Protokoll eingetragen wurde. Deshalb wird nichts mehr eingetragen und \
            niemand gemessen. Fragen Sie den Betreiber, welcher Eintrag es ist: das Betriebsprotokoll des Dienstes und \
            /readyz nennen ihn. Behalten Sie bis dahin Ihre Prüfpunkte.
            """,
        lastCheck: "Zuletzt ganz geprüft", notYet: "Noch nicht, seit der Dienst läuft",
        checkpoint: "Neuester Prüfpunkt",
        checkpointHint: """
            Bewahren Sie ihn dort auf, wo der Betreiber ihn nicht ändern kann. Wer ihn hat, kann später beweisen, dass \
            nichts von dem, was jetzt im Protokoll steht, geändert, gelöscht oder verschoben wurde.
            """,
        key: "Schlüssel des Protokolls",
        keyHint: "Mit ihm prüft consentlink verify Beweise und Exporte ohne diesen Dienst.",
        copyCheckpoint: "Prüfpunkt kopieren", copyKey: "Schlüssel kopieren", copied: "Kopiert",
        compareTitle: "Setzt das Protokoll einen älteren Prüfpunkt fort?",
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
            Einträge fehlen: Der Prüfpunkt wurde über \(old.of("Eintrag", "Einträge")) unterschrieben, und das \
            Protokoll hat \(new). Sagen Sie es dem Betreiber, und behalten Sie den Prüfpunkt.
            """
        },
        departs: { old in
            let entries = old.form("dem einen Eintrag, über den", "den \(old) Einträgen, über die")
            return """
                Das Protokoll wurde geändert: Es beginnt nicht mit \(entries) der Prüfpunkt unterschrieben wurde. Sagen Sie \
                es dem Betreiber, und behalten Sie den Prüfpunkt.
                """
        },
        continues: { old, new in
            let entries = old.form(
                "Der eine Eintrag des Prüfpunkts steht", "Alle \(old) Einträge des Prüfpunkts stehen")
            return """
                Nichts wurde geändert: \(entries) unverändert am Anfang des Protokolls, das jetzt \
                \(new.of("Eintrag", "Einträge")) hat.
                """
        },
        continuesClosed: """
            Der Baum des Protokolls setzt den Prüfpunkt fort. Aber die Datenbank weicht vom Baum ab, deshalb ist das \
            Protokoll geschlossen. Sagen Sie es dem Betreiber, und behalten Sie den Prüfpunkt.
            """,
        exportTitle: "Export",
        exportHint: """
            Entscheidungen, Einwilligungen, Interaktionen und Einsichten mit dem, was sie beweist, als ein Archiv; sein \
            README sagt, wie man es prüft. Es nennt viele Personen. Als Einsicht in jede von ihnen wird es nicht \
            festgehalten; das Betriebsprotokoll des Dienstes sagt, wer es gemacht hat.
            """,
        from: "Ab", to: "Vor", export: "Export herunterladen",
        exportUnderWay: """
            Ein Export dieses Protokolls wird gerade gemacht. Es geht einer zur selben Zeit; bitte versuchen Sie es noch \
            einmal, wenn er zu Ende ist.
            """)
}
