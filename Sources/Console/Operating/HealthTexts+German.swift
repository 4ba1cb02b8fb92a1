import Interactions

extension HealthTexts {
    static let german = HealthTexts(
        title: "Zustand", noLoss: "Kein Klick geht verloren.",
        loss: { "Klicks werden nicht aufgezeichnet: \($0)." },
        redirected: { $0 == 1 ? "wurde 1 Klick" : "wurden \($1) Klicks" },
        lossSince: { "Seit \($0) \($1) ohne Aufzeichnung weitergeleitet." },
        lastLoss: { "Von \($0) bis \($1) \($2) ohne Aufzeichnung weitergeleitet: \($3)." },
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
        noAnswer: "Keine Antwort vom Dienst seit {time} UTC.", oldNumbers: "Diese Zahlen sind alt.",
        links: "Links", api: "API", readiness: "Bereit für", ready: "Bereit", notReady: "Nicht bereit", asOf: "Stand",
        refresh: "Ohne Skripte: jede Sekunde neu fragen", stopRefreshing: "Nicht mehr neu fragen",
        recorded: "Aufgezeichnete Klicks",
        unrecorded: "Klicks ohne Aufzeichnung", spoolDepth: "Noch zu speichern",
        spoolNote: "Klicks auf der Platte dieses Knotens, noch nicht in der Datenbank",
        unjudged: "Später beurteilte Klicks",
        unjudgedNote: "seit dem Start: aufgezeichnet, während dieser Knoten nicht jeden Widerruf kennen konnte",
        commitMedian: "Schreibdauer, Median (p50)",
        commitMost: "Schreibdauer, p99", commitNote: "in den letzten zwei Minuten",
        noCommit: "kein Klick in den letzten zwei Minuten", dataDisk: "Freie Platte, Daten",
        backupDisk: "Freie Platte, Sicherungen", freeOf: { "von \($0)" }, ledgers: "Protokolle",
        ledgersOpen: "Alle offen", ledgersClosed: "Geschlossen", lastBackup: "Letzte Sicherung", none: "keine",
        unreadable: "ihr Ordner ist nicht lesbar", staleness: "Änderungen an anderen Knoten",
        fresh: "Hier alle bekannt",
        stale: "Manche vielleicht unbekannt", age: { "Stand vor \($0) s" },
        unrecordedCaption: "Klicks ohne Aufzeichnung, nach Grund", why: "Grund", clicks: "Klicks",
        sinceStart: "seit dem Start", nothingUnrecorded: "Seit dem Start des Dienstes wurde jeder Klick aufgezeichnet.",
        nodesTitle: "Knoten", node: "Knoten", state: "Zustand", lastSeen: "Zuletzt gesehen, vor Sekunden",
        behind: "Änderungen zurück", running: "Läuft", silent: "Stumm", stopped: "Angehalten",
        nodesAway: "Die anderen Knoten können nicht gefragt werden: Die Datenbank antwortet nicht.",
        day: "Die letzten 24 Stunden",
        dayLead: "Aus dem Speicher dieses Prozesses: Er beginnt mit jedem Start leer.",
        clicksCaption: "Klicks in halben Stunden",
        spoolCaption: "Klicks, die auf das Speichern warteten, in halben Stunden",
        commitCaption: "Schreibdauer, p99, in halben Stunden",
        clicksFinding: { "Klicks in den letzten 24 Stunden: \($0) aufgezeichnet, \($1) ohne Aufzeichnung." },
        spoolFinding: { "Die meisten Klicks, die gleichzeitig auf das Speichern warteten: \($0)." },
        commitFinding: { "In der langsamsten Minute dauerten 99 von 100 Schreibvorgängen höchstens \($0)." },
        noCommitFinding: "In den letzten 24 Stunden wurde kein Klick geschrieben.", time: "Zeit",
        commitMicroseconds: "Schreibdauer, p99, in µs", emptyDay: "Noch wurde nichts gezählt.", nowCaption: "Jetzt",
        minutesCaption: "Minuten der letzten 24 Stunden", name: "Was", value: "Wert")
}
