import HTTPTypes

/// The texts of pages that are shown in place of the requested one.
struct RefusalTexts: Sendable {
    struct Words: Sendable {
        let title: String
        let text: String
    }

    let home: String
    /// The text of the link to the page with the form.
    let again: String
    let notFound: Words
    let signedOut: Words
    let notAllowed: Words
    let methodNotAllowed: Words
    let crossSite: Words
    let foreignForm: Words
    let expiredForm: Words
    let sentBefore: @Sendable (ConsoleRoute.FirstSending) -> Words
    let foreignHost: Words
    let mustWait: @Sendable (Int64) -> Words
    let unfit: @Sendable (String, ConsoleRefusal.InputFault) -> Words
    let malformedForm: Words
    let tooLarge: Words
    let targetTooLong: Words
    let caseClosed: Words
    let olderVersion: Words
    let unavailable: Words
    let busy: Words
    let broken: Words

    func words(for refusal: ConsoleRefusal) -> Words {
        switch refusal {
        case .notFound: notFound
        case .signedOut: signedOut
        case .notAllowed: notAllowed
        case .methodNotAllowed: methodNotAllowed
        case .crossSite: crossSite
        case .foreignForm: foreignForm
        case .expiredForm: expiredForm
        case .sentBefore(let first): sentBefore(first)
        case .foreignHost: foreignHost
        case .mustWait(let seconds): mustWait(seconds)
        case .unfit(let field, let fault): unfit(field, fault)
        case .malformedForm: malformedForm
        case .tooLarge: tooLarge
        case .targetTooLong: targetTooLong
        case .caseClosed: caseClosed
        case .olderVersion: olderVersion
        case .unavailable: unavailable
        case .busy: busy
        }
    }

    /// The words for a status of the service's answers to programs.
    func words(for status: HTTPResponse.Status) -> Words {
        switch status {
        case .notFound: notFound
        case .serviceUnavailable: unavailable
        default: broken
        }
    }

    static let all = Wording(english: english, german: german)

    private static let english = RefusalTexts(
        home: "To the first page", again: "Open the page again",
        notFound: Words(title: "Not found", text: "There is no such page, or you may not open it."),
        signedOut: Words(
            title: "Not signed in", text: "Please sign in, and ask for the file again. Nothing was saved."),
        notAllowed: Words(title: "Not allowed", text: "Your role does not allow this."),
        methodNotAllowed: Words(title: "Not possible", text: "This address cannot be used in this way."),
        crossSite: Words(
            title: "Refused", text: "The request did not come from a page of this console. Nothing was changed."),
        foreignForm: Words(
            title: "Refused", text: "The form is not one that this console gave to your session. Nothing was changed."),
        expiredForm: Words(
            title: "The form is too old",
            text: "It was open for more than half an hour. Nothing was changed. Please open the page again."),
        sentBefore: { first in
            let hint =
                switch first {
                case .shown: "It may have taken effect: please open the page again and look."
                case .newKey:
                    """
                    A key may have been made, and it is shown only once. If you have not copied it, delete it in the \
                    list, where it is the newest, and make another one.
                    """
                case .newOrganization:
                    """
                    The organization may have been made, with its first key, which is shown only once. If you have not \
                    copied it, open the organization’s keys, make another one and delete the first.
                    """
                case .signIn:
                    """
                    If you are not signed in now, please sign in again. A link signs in only once: ask for a new one.
                    """
                }
            return Words(
                title: "Already sent", text: "This form was sent before, and is not carried out twice. \(hint)")
        },
        foreignHost: Words(
            title: "Another address",
            text: "The console is not used under this address. The operator sets it with console-url; it must be https."
        ),
        mustWait: { seconds in
            Words(
                title: "Please wait",
                text: """
                    Too many attempts to sign in have failed. The next one is possible in \
                    \(Amount(seconds).of("second", "seconds")).
                    """)
        },
        unfit: { field, fault in
            let reason =
                switch fault {
                case .missing: "is missing"
                case .tooLong(let length): "has more than \(length) characters"
                case .tooManyBytes(let length): "has more than \(length) bytes, and letters with accents have several"
                case .malformed: "is not in a form that can be understood"
                case .unknown: "is not one of the choices"
                case .beforeBeginning: "is before the beginning"
                }
            return Words(title: "Please correct", text: "The field “\(field)” \(reason). Nothing was changed.")
        },
        malformedForm: Words(title: "Refused", text: "The form could not be read. Nothing was changed."),
        tooLarge: Words(title: "Too large", text: "The form is too large. Nothing was changed."),
        targetTooLong: Words(title: "Too long", text: "The console has no address that is so long."),
        caseClosed: Words(
            title: "Closed",
            text: "A person’s page stays open for 15 minutes, in one session. Please look the person up again."),
        olderVersion: Words(
            title: "Not possible over this proxy",
            text: """
                The proxy before the console speaks HTTP/1.0, which does not show whether a file is whole. The operator \
                sets it to HTTP/1.1.
                """),
        unavailable: Words(
            title: "Not available right now", text: "The store cannot be asked at the moment. Please try again."),
        busy: Words(
            title: "Busy right now",
            text: "Too many requests of this kind are under way at the moment. Please try again."),
        broken: Words(
            title: "Something went wrong", text: "The service could not answer. Its log says what happened."))

    private static let german = RefusalTexts(
        home: "Zur ersten Seite", again: "Die Seite neu öffnen",
        notFound: Words(title: "Nicht gefunden", text: "Diese Seite gibt es nicht, oder sie ist keine von Ihren."),
        signedOut: Words(
            title: "Nicht angemeldet",
            text: "Bitte melden Sie sich an und holen Sie die Datei noch einmal. Nichts wurde gespeichert."),
        notAllowed: Words(title: "Nicht erlaubt", text: "Ihre Rolle erlaubt das nicht."),
        methodNotAllowed: Words(
            title: "Nicht möglich", text: "Diese Adresse kann so nicht verwendet werden."),
        crossSite: Words(
            title: "Abgelehnt", text: "Die Anfrage kam nicht von einer Seite dieser Konsole. Nichts wurde geändert."),
        foreignForm: Words(
            title: "Abgelehnt",
            text: "Dieses Formular hat die Konsole nicht Ihrer Sitzung gegeben. Nichts wurde geändert."),
        expiredForm: Words(
            title: "Das Formular ist zu alt",
            text: "Es war länger als eine halbe Stunde offen. Nichts wurde geändert. Bitte öffnen Sie die Seite neu."),
        sentBefore: { first in
            let hint =
                switch first {
                case .shown: "Vielleicht hat es gewirkt: Bitte öffnen Sie die Seite neu und sehen Sie nach."
                case .newKey:
                    """
                    Vielleicht gibt es einen neuen Schlüssel, und er wird nur einmal gezeigt. Haben Sie ihn nicht \
                    kopiert, löschen Sie ihn in der Liste, wo er der neueste ist, und machen Sie einen anderen.
                    """
                case .newOrganization:
                    """
                    Vielleicht gibt es die Organisation schon, mit ihrem ersten Schlüssel, der nur einmal gezeigt wird. \
                    Haben Sie ihn nicht kopiert, öffnen Sie die Schlüssel der Organisation, machen Sie einen anderen \
                    und löschen Sie den ersten.
                    """
                case .signIn:
                    """
                    Sind Sie jetzt nicht angemeldet, melden Sie sich bitte noch einmal an. Ein Link meldet nur einmal \
                    an: Holen Sie einen neuen.
                    """
                }
            return Words(
                title: "Schon gesendet", text: "Dieses Formular wurde schon gesendet und gilt nicht zweimal. \(hint)")
        },
        foreignHost: Words(
            title: "Andere Adresse",
            text: """
                Unter dieser Adresse wird die Konsole nicht verwendet. Der Betreiber setzt sie mit console-url; sie muss \
                https sein.
                """),
        mustWait: { seconds in
            Words(
                title: "Bitte warten",
                text: """
                    Zu viele Anmeldungen sind gescheitert. Die nächste ist in \(Amount(seconds).of("Sekunde", "Sekunden")) \
                    möglich.
                    """)
        },
        unfit: { field, fault in
            let reason =
                switch fault {
                case .missing: "fehlt"
                case .tooLong(let length): "hat mehr als \(length) Zeichen"
                case .tooManyBytes(let length): "hat mehr als \(length) Bytes, und Umlaute haben mehrere"
                case .malformed: "ist nicht zu verstehen"
                case .unknown: "ist keine der Möglichkeiten"
                case .beforeBeginning: "liegt vor dem Anfang"
                }
            return Words(title: "Bitte berichtigen", text: "Das Feld „\(field)“ \(reason). Nichts wurde geändert.")
        },
        malformedForm: Words(title: "Abgelehnt", text: "Das Formular ist nicht lesbar. Nichts wurde geändert."),
        tooLarge: Words(title: "Zu groß", text: "Das Formular ist zu groß. Nichts wurde geändert."),
        targetTooLong: Words(title: "Zu lang", text: "Die Konsole hat keine Adresse, die so lang ist."),
        caseClosed: Words(
            title: "Geschlossen",
            text: """
                Die Seite einer Person bleibt 15 Minuten lang offen, in einer Sitzung. Bitte suchen Sie die Person noch \
                einmal.
                """),
        olderVersion: Words(
            title: "Über diesen Proxy nicht möglich",
            text: """
                Der Proxy vor der Konsole spricht HTTP/1.0, das nicht zeigt, ob eine Datei ganz ist. Der Betreiber stellt \
                ihn auf HTTP/1.1 um.
                """),
        unavailable: Words(
            title: "Im Moment nicht möglich",
            text: "Der Speicher antwortet gerade nicht. Bitte versuchen Sie es noch einmal."),
        busy: Words(
            title: "Im Moment zu viel",
            text: "Zu viele Anfragen dieser Art sind gerade in Arbeit. Bitte versuchen Sie es noch einmal."),
        broken: Words(
            title: "Etwas ging schief", text: "Der Dienst konnte nicht antworten. Sein Protokoll sagt, was geschah."))
}
