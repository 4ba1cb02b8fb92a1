import Interactions

extension HealthTexts {
    static let german = HealthTexts(
        title: "Zustand", noLoss: "Kein Klick geht verloren.",
        loss: { "Klicks werden nicht aufgezeichnet: \($0)." },
        lossSince: { "Seit \($0) wurden \($1) Klicks ohne Aufzeichnung weitergeleitet." },
        lastLoss: { "Von \($0) bis \($1) wurden \($2) Klicks ohne Aufzeichnung weitergeleitet: \($3)." },
        neverLost: "Seit dem Start des Dienstes ging keiner verloren.",
        notAllReady: "Kein Klick geht verloren, aber der Dienst ist nicht für alles bereit.",
        reason: { reason in
            switch reason {
            case .full: "die Platte ist voll"
            case .failed: "die Platte ist ausgefallen"
            case .overloaded: "zu viele Klicks warten auf die Platte"
            case .stuck: "die Platte antwortet nicht rechtzeitig"
            case .quota: "das Kontingent einer Organisation ist verbraucht"
            case .rate: "einem Link wurde zu oft gefolgt"
            case .diskFloor: "die Platte ist fast voll, und der Rest ist für Einwilligungen"
            case .stale: "der Knoten kennt vielleicht nicht jeden Widerruf"
            }
        },
        links: "Links", api: "API", readiness: "Bereit für", ready: "Bereit", notReady: "Nicht bereit", asOf: "Stand",
        refresh: "Ohne Skripte: alle 2 Sekunden neu fragen", recorded: "Aufgezeichnete Klicks",
        unrecorded: "Klicks ohne Aufzeichnung", spoolDepth: "Noch zu speichern",
        spoolNote: "Klicks auf der Platte dieses Knotens, noch nicht in der Datenbank", unjudged: "Unbeurteilte Klicks",
        unjudgedNote: "aufgezeichnet, während der Knoten nicht jeden Widerruf kannte",
        commitMedian: "Schreiben, Hälfte",
        commitMost: "Schreiben, 99 von 100", commitNote: "der letzten zwei Minuten", atMost: "höchstens",
        moreThan: "mehr als", noCommit: "kein Klick", dataDisk: "Freie Platte, Daten",
        backupDisk: "Freie Platte, Sicherungen", freeOf: { "von \($0)" }, ledgers: "Protokolle",
        ledgersOpen: "Alle offen", ledgersClosed: "Geschlossen", lastBackup: "Letzte Sicherung", none: "keine",
        staleness: "Dieser Knoten weiß von anderen", fresh: "alles", stale: "nicht alles",
        unrecordedCaption: "Klicks ohne Aufzeichnung, nach Grund", why: "Grund", clicks: "Klicks",
        sinceStart: "seit dem Start", nothingUnrecorded: "Seit dem Start des Dienstes wurde jeder Klick aufgezeichnet.",
        nodesTitle: "Knoten", node: "Knoten", state: "Zustand", lastSeen: "Zuletzt gesehen, vor Sekunden",
        behind: "Änderungen zurück", running: "Läuft", silent: "Stumm", stopped: "Angehalten",
        nodesAway: "Die anderen Knoten können nicht gefragt werden: Die Datenbank antwortet nicht.",
        day: "Die letzten 24 Stunden",
        dayLead: "Aus dem Speicher dieses Prozesses: Er beginnt mit jedem Start leer.",
        clicksFinding: { "\($0) Klicks aufgezeichnet und \($1) ohne Aufzeichnung in den letzten 24 Stunden." },
        spoolFinding: { "Höchstens \($0) Klicks warteten auf das Speichern." },
        commitFinding: { "99 von 100 Schreibvorgängen dauerten in der langsamsten Minute höchstens \($0)." },
        noCommitFinding: "In den letzten 24 Stunden wurde kein Klick geschrieben.", time: "Zeit",
        commitMicroseconds: "Schreiben, 99 von 100, in µs", emptyDay: "Noch wurde nichts gezählt.", nowCaption: "Jetzt",
        minutesCaption: "Minuten der letzten 24 Stunden", name: "Was", value: "Wert")
}
