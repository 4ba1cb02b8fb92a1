extension PageTexts {
    static let spanish = PageTexts(
        languages: "Idioma",
        withdrawal: WithdrawalTexts(
            isOn: "El seguimiento de mensajes está activado",
            isPartlyOn: "El seguimiento de mensajes está activado en parte",
            isOff: "El seguimiento de mensajes está desactivado",
            everything: .init(
                recorded: """
                    Cuando abres un mensaje de \(.sender) o un enlace que hay en él, eso puede quedar registrado, \
                    con la hora.
                    """,
                notRecorded: """
                    Cuando abres un mensaje de \(.sender) o un enlace que hay en él, no se registra nada sobre ti.
                    """,
                turnOff: "Desactivar el seguimiento",
                keepOff: "Dejar el seguimiento desactivado"),
            clicks: .init(
                recorded: """
                    Cuando abres un enlace de un mensaje de \(.sender), eso puede quedar registrado, con la hora.
                    """,
                notRecorded: "Cuando abres un enlace de un mensaje de \(.sender), no se registra nada sobre ti.",
                turnOff: "Desactivar para los enlaces",
                keepOff: "Dejar desactivado para los enlaces"),
            clicksHeading: "Enlaces",
            opens: .init(
                recorded: "Cuando abres un mensaje de \(.sender), eso puede quedar registrado, con la hora.",
                notRecorded: "Cuando abres un mensaje de \(.sender), no se registra nada sobre ti.",
                turnOff: "Desactivar para los mensajes",
                keepOff: "Dejar desactivado para los mensajes"),
            opensHeading: "Mensajes",
            choice: """
                Puedes desactivarlo. Tus enlaces seguirán funcionando y, desde ese momento, no se registrará nada \
                sobre ti.
                """,
            choiceOfParts: "Puedes desactivar una parte o las dos. Tus enlaces seguirán funcionando.",
            undecided: "Todavía no has dicho si debe seguir desactivado. Puedes decirlo ahora.",
            linksWork: "Tus enlaces seguirán funcionando.",
            staysOff: "Seguirá desactivado mientras no lo aceptes.",
            aboutPurpose: "Se trata de la finalidad \(.purpose).",
            unknownPerson: """
                Ya no se sabe nada de la persona a la que \(.sender) envió esto, y no se registra nada sobre ella.
                """,
            laterMessages: "Un mensaje que recibiste más tarde tiene su propia página como esta.",
            turnAllOff: "Desactivar todo",
            keepAllOff: "Dejar todo desactivado"),
        preferences: PreferencesTexts(
            title: "El seguimiento de mensajes está desactivado",
            notRecorded: """
                Vienes de un mensaje de \(.sender). Cuando abres ese mensaje o un enlace que hay en él, no se \
                registra nada sobre ti.
                """,
            sameForAll: "Esta página es igual para todo el mundo. No sabe quién eres.",
            agreeing: "Si quieres aceptarlo",
            voluntary: """
                Puedes permitir que \(.sender) registre cuándo abres sus mensajes y enlaces. No tienes que hacerlo: \
                todo funciona igual sin ello.
                """,
            agreeAt: "Ir a la página del remitente: \(.site)",
            askSender: "Si quieres permitirlo, pregunta a \(.sender).",
            changingYourMind: "Si lo aceptas, puedes cambiar de idea y desactivarlo cuando quieras."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Enlace no encontrado",
                detail: """
                    Este enlace no está completo o nunca fue válido. Vuelve a abrirlo desde el mensaje original.
                    """),
            linkDisabled: .init(
                title: "Enlace desactivado",
                detail: "El remitente del mensaje ha desactivado este enlace."),
            linkUnavailable: .init(
                title: "Inténtalo de nuevo",
                detail: """
                    Ahora mismo no se puede saber adónde lleva este enlace. Inténtalo de nuevo dentro de un momento.
                    """),
            wrongMethod: .init(
                title: "Este enlace se abre de otra manera",
                detail: "Vuelve a abrir el enlace desde el mensaje original."),
            pageNotFound: .init(
                title: "Página no encontrada",
                detail: """
                    Esta dirección no está completa o nunca fue válida. Vuelve a abrirla desde el mensaje original.
                    """),
            pageUnavailable: .init(
                title: "Inténtalo de nuevo",
                detail: "Ahora mismo no se puede consultar ni cambiar. Inténtalo de nuevo dentro de un momento.")),
        consentRequests: .spanish,
        receipts: .spanish)
}
