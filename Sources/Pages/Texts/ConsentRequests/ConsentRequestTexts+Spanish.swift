extension ConsentRequestTexts {
    static let spanish = ConsentRequestTexts(
        title: "Su decisión",
        question: "\(.sender) le pide su consentimiento. Lea primero este texto:",
        readNotice: "Leer el aviso",
        lookingIsNothing: "Abrir esta página no registra nada. Solo cuenta pulsar un botón.",
        tracking: "¿Puede \(.sender) registrar cuándo abre usted sus mensajes y los enlaces que contienen?",
        clicks: "¿Puede \(.sender) registrar cuándo abre usted los enlaces de sus mensajes?",
        opens: "¿Puede \(.sender) registrar cuándo abre usted sus mensajes?",
        purpose: "¿Está de acuerdo con «\(.purpose)»?",
        yes: "Sí, acepto",
        no: "No, no acepto",
        saidYes: "Ha dicho que sí. Esto cuenta ahora.",
        saidNo: "Ha dicho que no. Esto cuenta ahora.",
        change: "Puede cambiar su respuesta aquí hasta el \(.date).",
        awaiting: """
            Ha dicho que sí. Todavía no cuenta: \(.sender) le envía primero un segundo mensaje con un enlace para \
            confirmarlo.
            """,
        confirmTitle: "Confirme, por favor",
        confirmQuestion: """
            Con el enlace que \(.sender) le envió se respondió que sí. ¿Fue usted? Solo cuenta si lo confirma aquí.
            """,
        confirmYes: "Sí, lo confirmo",
        newer: """
            \(.sender) le ha preguntado otra vez desde entonces. Responda en el mensaje más reciente. Aquí no se \
            registra nada.
            """,
        later: "Cuenta una respuesta suya posterior. Aquí no se registra nada.",
        expiredTitle: "Esta pregunta ha terminado",
        expired: "Este enlace es demasiado antiguo. Aquí no se registra nada.",
        nobody: "Ya no se sabe nada de la persona a la que \(.sender) preguntó. No se registra nada.",
        unreadableTitle: "No se ha entendido",
        unreadable: """
            No se ha podido leer esta respuesta. No se ha registrado nada. Vuelva atrás y pulse uno de los botones.
            """)
}
