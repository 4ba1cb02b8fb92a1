extension PageTexts {
    static let polish = PageTexts(
        languages: "Język",
        withdrawal: WithdrawalTexts(
            isOn: "Śledzenie wiadomości jest włączone",
            isPartlyOn: "Śledzenie wiadomości jest częściowo włączone",
            isOff: "Śledzenie wiadomości jest wyłączone",
            everything: .init(
                recorded: """
                    Gdy otwierasz wiadomość od \(.sender) lub link w niej, może to zostać zapisane wraz z godziną.
                    """,
                notRecorded: """
                    Gdy otwierasz wiadomość od \(.sender) lub link w niej, nic o tobie nie jest zapisywane.
                    """,
                turnOff: "Wyłącz śledzenie",
                keepOff: "Pozostaw śledzenie wyłączone"),
            clicks: .init(
                recorded: "Gdy otwierasz link w wiadomości od \(.sender), może to zostać zapisane wraz z godziną.",
                notRecorded: "Gdy otwierasz link w wiadomości od \(.sender), nic o tobie nie jest zapisywane.",
                turnOff: "Wyłącz dla linków",
                keepOff: "Pozostaw wyłączone dla linków"),
            clicksHeading: "Linki",
            opens: .init(
                recorded: "Gdy otwierasz wiadomość od \(.sender), może to zostać zapisane wraz z godziną.",
                notRecorded: "Gdy otwierasz wiadomość od \(.sender), nic o tobie nie jest zapisywane.",
                turnOff: "Wyłącz dla wiadomości",
                keepOff: "Pozostaw wyłączone dla wiadomości"),
            opensHeading: "Wiadomości",
            choice: """
                Możesz to wyłączyć. Linki nadal będą działać, a od tej chwili nic o tobie nie będzie zapisywane.
                """,
            choiceOfParts: "Możesz wyłączyć jedną część albo obie. Linki nadal będą działać.",
            undecided: "Jeszcze nie wiemy, czy ma to pozostać wyłączone. Możesz zdecydować teraz.",
            linksWork: "Linki nadal będą działać.",
            staysOff: "Pozostanie to wyłączone, dopóki się na to nie zgodzisz.",
            aboutPurpose: "Chodzi o cel \(.purpose).",
            unknownPerson: """
                Nic już nie wiadomo o osobie, która dostała tę wiadomość od \(.sender), i nic o niej nie jest \
                zapisywane.
                """,
            laterMessages: "Późniejsza wiadomość ma własną taką stronę.",
            turnAllOff: "Wyłącz wszystko",
            keepAllOff: "Pozostaw wszystko wyłączone"),
        preferences: PreferencesTexts(
            title: "Śledzenie wiadomości jest wyłączone",
            notRecorded: """
                Ta strona otworzyła się z wiadomości od \(.sender). Gdy otwierasz tę wiadomość lub link w niej, nic \
                o tobie nie jest zapisywane.
                """,
            sameForAll: "Ta strona jest taka sama dla wszystkich. Nie wie, kim jesteś.",
            agreeing: "Jeśli chcesz się zgodzić",
            voluntary: """
                Możesz pozwolić, aby nadawca \(.sender) zapisywał, kiedy otwierasz jego wiadomości i linki. Nie \
                musisz: bez tego wszystko działa tak samo.
                """,
            agreeAt: "Przejdź na stronę nadawcy: \(.site)",
            askSender: "Jeśli chcesz na to pozwolić, zapytaj nadawcę: \(.sender).",
            changingYourMind: "Jeśli się zgodzisz, w każdej chwili możesz zmienić zdanie i znowu to wyłączyć."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Nie znaleziono linku",
                detail: """
                    Ten link jest niepełny albo nigdy nie był ważny. Otwórz go ponownie z pierwotnej wiadomości.
                    """),
            linkDisabled: .init(
                title: "Link jest wyłączony",
                detail: "Nadawca wiadomości wyłączył ten link."),
            linkUnavailable: .init(
                title: "Spróbuj ponownie",
                detail: "Nie można teraz sprawdzić, dokąd prowadzi ten link. Spróbuj ponownie za chwilę."),
            wrongMethod: .init(
                title: "Ten link otwiera się inaczej",
                detail: "Otwórz link ponownie z pierwotnej wiadomości."),
            pageNotFound: .init(
                title: "Nie znaleziono strony",
                detail: """
                    Ten adres jest niepełny albo nigdy nie był ważny. Otwórz go ponownie z pierwotnej wiadomości.
                    """),
            pageUnavailable: .init(
                title: "Spróbuj ponownie",
                detail: "Nie można tego teraz sprawdzić ani zmienić. Spróbuj ponownie za chwilę.")),
        consentRequests: .polish,
        receipts: .polish)
}
