extension PersonTexts {
    static let german = PersonTexts(
        title: "Person",
        lead: """
            Warum wurde jemand gemessen, oder nicht? Jede Einsicht wird mit ihrem Grund festgehalten, bevor etwas zu sehen \
            ist.
            """,
        caseTitle: "Verlauf einer Person",
        caseLead: "Diese Seite ist nur in Ihrer Sitzung offen, 15 Minuten lang. Die Einsicht ist festgehalten.",
        ledgerClosed: .init(
            title: "Das Protokoll ist geschlossen",
            text: """
                Keine Einsicht kann darin festgehalten werden, deshalb ist nichts zu sehen. Was Sie tun können, sagt die \
                Seite Protokoll.
                """
        ),
        recipient: "Kennung der Person",
        recipientHint: "So, wie Ihre Systeme sie kennen, etwa eine Mailadresse. Auch Leerzeichen am Ende zählen.",
        reason: "Grund",
        reasonHint: "Etwa die Nummer einer Beschwerde. Andere Prüfende lesen ihn: Nennen Sie darin nicht die Person.",
        day: "Tag",
        dayHint: "Leer lassen für alles.", look: "Verlauf zeigen", lookAgain: "Eine andere Person suchen",
        about: "Person", because: "Grund", show: "Zeigen", allDays: "Alle Tage",
        nothing: "Über diese Person ist nichts gespeichert.", nothingThatDay: "An diesem Tag geschah nichts.",
        erased: """
            Diese Person wurde gelöscht und hat seither nicht eingewilligt. Was vorher gespeichert war, ist endgültig fort. \
            Wann das war, ist nicht bekannt: Das Protokoll hat die Zeit jeder Löschung, und nicht, um wen es ging.
            """,
        cut: "Es gibt mehr, als diese Seite lesen kann. Wählen Sie einen Tag, oder laden Sie alles herunter.",
        caption: "Verlauf", time: "Zeit", what: "Was", why: "Warum", consent: "Einwilligung", request: "Anfrage",
        decision: "Entscheidung", interaction: "Interaktion", message: "Nachricht", purpose: "Zweck",
        clicksOnly: "nur über Links", opensOnly: "nur über das Öffnen", rule: "Damalige Regel",
        restsOn: { state, time in "Sie beruht auf diesem Eintrag: „\(state)“, \(time)." },
        restsOnOther: { "Sie beruht auf dem Eintrag \($0), den diese Seite nicht lesen konnte." },
        restsOnNothing: "Kein Eintrag zur Einwilligung war maßgeblich.", recordedAt: "Erfasst",
        validUntil: "Gültig bis", method: "Verfahren", source: "Quelle", notice: "Hinweistext", link: "Link",
        proof: "Beweis dieser Entscheidung herunterladen",
        consentProof: "Beweis dieser Einwilligung herunterladen",
        proofHint: """
            Ein Beweis braucht kein Vertrauen in diesen Dienst: consentlink verify DATEI --key SCHLÜSSEL prüft ihn. Der \
            Schlüssel steht auf der Seite Protokoll. Jedes Herunterladen wird als Einsicht festgehalten.
            """,
        export: "Alles Gespeicherte herunterladen",
        exportHint: "Ein JSON-Dokument, für die Antwort auf eine Auskunftsanfrage (DSGVO, Artikel 15).",
        newer: "Neuere",
        older: "Ältere", page: "Seite", eraseTitle: "Diese Person löschen",
        eraseText: """
            Alles, was über die Person gespeichert ist, wird gelöscht, und ohne neue Einwilligung wird sie nie wieder \
            gemessen. Beweise gelten weiter, sagen aber nicht mehr, um wen es ging. Das lässt sich nicht rückgängig machen.
            """,
        eraseAgain: "Kennung noch einmal eingeben", eraseButton: "Endgültig löschen",
        eraseMismatch: "Das ist nicht die Kennung der Person. Nichts wurde gelöscht.",
        uncleared: """
            Die Person ist gelöscht. Aber etwas liest noch einen älteren Stand der Dateien, deshalb enthalten sie noch, was \
            gelöscht wurde. Bitte versuchen Sie es noch einmal.
            """,
        clearTitle: "Dateien noch einmal bereinigen",
        clearText: """
            Eine Löschung bereinigt auch die Dateien von dem, was gelöscht wurde. Wiederholen Sie diesen Schritt, wenn die \
            Löschung sagte, dass er nicht gelang.
            """,
        clearButton: "Noch einmal bereinigen", erasedTitle: "Gelöscht",
        erasedLead: "Die Person wurde gelöscht. So viele Einträge sagen nicht mehr, um wen es ging:",
        erasedAlready: """
            Die Person ist gelöscht, und die Dateien sind bereinigt. Kein Eintrag musste seine Person noch verlieren:
            """,
        erasedConsents: "Einträge zur Einwilligung", erasedDecisions: "Entscheidungen",
        erasedInteractions: "Interaktionen")
}
