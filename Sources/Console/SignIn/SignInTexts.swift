/// The texts of the pages about sign-in and sessions.
struct SignInTexts: Sendable {
    let title: String
    let lead: String
    let key: String
    let keyHint: String
    let signIn: String
    let provider: String
    let or: String
    let wrongKey: String
    let noRole: String
    let providerFailed: String
    let providerAway: String
    let tryAgain: String
    let rolesChanged: String
    let linkTitle: String
    let linkLead: String
    let linkUsed: String
    let confirmTitle: String
    let confirmLead: String
    let confirm: String
    let confirmProvider: String
    let sessionsTitle: String
    let sessionsLead: String
    let began: String
    let used: String
    let thisOne: String
    let state: String
    let open: String
    let end: String
    let endAll: String
    let sessionsCaption: String
    let roles: String
    let organization: String
    let role: String
    let noRoles: String
    let marketer: String
    let auditor: String
    let manager: String
    let theOperator: String

    static let all = Wording(
        english: SignInTexts(
            title: "Sign in", lead: "With a key of your organization, or the operator’s.", key: "Key",
            keyHint: "Begins with clk_. The browser does not keep it.", signIn: "Sign in",
            provider: "Sign in with your organization’s account", or: "or", wrongKey: "This key does not exist.",
            noRole: "This account has no role here. Ask the operator for one.",
            providerFailed: "Signing in with your organization’s account did not work. Please try again.",
            providerAway: """
                Signing in with your organization’s account is not possible right now. Please try again in a while.
                """,
            tryAgain: "Try again",
            rolesChanged: "Your roles have changed. Please sign in again.",
            linkTitle: "Sign in as operator", linkLead: "This link signs in once.",
            linkUsed: "This link was used, or is older than ten minutes. Ask for a new one.",
            confirmTitle: "Please confirm that it is you",
            confirmLead: "Show again that it is you. Nothing has happened yet; afterwards you send the form again.",
            confirm: "Confirm", confirmProvider: "Confirm with your organization’s account",
            sessionsTitle: "Sessions", sessionsLead: "The browsers in which you are signed in.", began: "Began",
            used: "Last used", thisOne: "This browser", state: "State", open: "Open", end: "End",
            endAll: "Sign out everywhere", sessionsCaption: "Your sessions",
            roles: "Your roles", organization: "Organization", role: "Role",
            noRoles: "You have no role in any organization.", marketer: "marketer", auditor: "auditor",
            manager: "manager", theOperator: "operator"),
        german: SignInTexts(
            title: "Anmelden", lead: "Mit einem Schlüssel Ihrer Organisation oder dem des Betreibers.",
            key: "Schlüssel", keyHint: "Beginnt mit clk_. Der Browser behält ihn nicht.", signIn: "Anmelden",
            provider: "Mit dem Konto Ihrer Organisation anmelden", or: "oder",
            wrongKey: "Diesen Schlüssel gibt es nicht.",
            noRole: "Dieses Konto hat hier keine Rolle. Bitten Sie den Betreiber um eine.",
            providerFailed: """
                Die Anmeldung mit dem Konto Ihrer Organisation gelang nicht. Bitte versuchen Sie es noch einmal.
                """,
            providerAway: """
                Die Anmeldung mit dem Konto Ihrer Organisation ist im Moment nicht möglich. Bitte versuchen Sie es später \
                noch einmal.
                """,
            tryAgain: "Noch einmal versuchen",
            rolesChanged: "Ihre Rollen haben sich geändert. Bitte melden Sie sich noch einmal an.",
            linkTitle: "Als Betreiber anmelden", linkLead: "Dieser Link meldet einmal an.",
            linkUsed: "Dieser Link wurde verwendet oder ist älter als zehn Minuten. Holen Sie einen neuen.",
            confirmTitle: "Bitte bestätigen Sie, dass Sie es sind",
            confirmLead: """
                Zeigen Sie noch einmal, dass Sie es sind. Bis jetzt ist nichts geschehen; danach senden Sie das Formular noch \
                einmal ab.
                """,
            confirm: "Bestätigen", confirmProvider: "Mit dem Konto Ihrer Organisation bestätigen",
            sessionsTitle: "Sitzungen", sessionsLead: "Die Browser, in denen Sie angemeldet sind.", began: "Begonnen",
            used: "Zuletzt benutzt", thisOne: "Dieser Browser", state: "Zustand", open: "Offen", end: "Beenden",
            endAll: "Überall abmelden", sessionsCaption: "Ihre Sitzungen",
            roles: "Ihre Rollen", organization: "Organisation", role: "Rolle",
            noRoles: "Sie haben in keiner Organisation eine Rolle.", marketer: "Marketing", auditor: "Prüfung",
            manager: "Verwaltung", theOperator: "Betrieb"))
}
