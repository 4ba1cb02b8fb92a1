extension ConsentRequestTexts {
    static let polish = ConsentRequestTexts(
        title: "Twój wybór",
        question: "\(.sender) prosi o Twoją zgodę. Najpierw przeczytaj ten tekst:",
        readNotice: "Przeczytaj informację",
        lookingIsNothing: "Samo otwarcie tej strony niczego nie zapisuje. Liczy się dopiero naciśnięcie przycisku.",
        tracking: "Czy \(.sender) może zapisywać, kiedy otwierasz wiadomości i linki, które w nich są?",
        clicks: "Czy \(.sender) może zapisywać, kiedy otwierasz linki w wiadomościach?",
        opens: "Czy \(.sender) może zapisywać, kiedy otwierasz wiadomości?",
        purpose: "Czy zgadzasz się na „\(.purpose)”?",
        yes: "Tak, zgadzam się",
        no: "Nie, nie zgadzam się",
        saidYes: "Twoja odpowiedź to „tak”. Teraz to obowiązuje.",
        saidNo: "Twoja odpowiedź to „nie”. Teraz to obowiązuje.",
        change: "Odpowiedź możesz zmienić tutaj do \(.date).",
        awaiting: """
            Twoja odpowiedź to „tak”. Jeszcze nie obowiązuje: \(.sender) najpierw wyśle Ci drugą wiadomość z linkiem \
            do potwierdzenia.
            """,
        confirmTitle: "Potwierdź, proszę",
        confirmQuestion: """
            Pod linkiem, który wysłał Ci \(.sender), padła odpowiedź „tak”. Czy to Twoja odpowiedź? Obowiązuje tylko \
            wtedy, gdy ją tutaj potwierdzisz.
            """,
        confirmYes: "Tak, potwierdzam",
        newer: """
            Od tego czasu \(.sender) zapytał Cię ponownie. Odpowiedz w nowszej wiadomości. Tutaj nic nie jest \
            zapisywane.
            """,
        later: "Obowiązuje Twoja późniejsza odpowiedź. Tutaj nic nie jest zapisywane.",
        expiredTitle: "To pytanie wygasło",
        expired: "Ten link jest za stary. Tutaj nic nie jest zapisywane.",
        nobody: "Nic już nie wiadomo o osobie, którą zapytał \(.sender). Nic nie jest zapisywane.",
        unreadableTitle: "Nie zrozumiano",
        unreadable: "Nie udało się odczytać tej odpowiedzi. Nic nie zapisano. Wróć i naciśnij jeden z przycisków.")
}
