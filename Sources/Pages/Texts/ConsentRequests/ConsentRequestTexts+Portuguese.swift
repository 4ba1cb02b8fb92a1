extension ConsentRequestTexts {
    static let portuguese = ConsentRequestTexts(
        title: "A sua escolha",
        question: "\(.sender) pede o seu consentimento. Leia primeiro este texto:",
        readNotice: "Ler o aviso",
        lookingIsNothing: "Abrir esta página não regista nada. Só conta carregar num botão.",
        tracking: "\(.sender) pode registar quando abre as suas mensagens e os links que elas contêm?",
        clicks: "\(.sender) pode registar quando abre os links das suas mensagens?",
        opens: "\(.sender) pode registar quando abre as suas mensagens?",
        purpose: "Concorda com “\(.purpose)”?",
        yes: "Sim, concordo",
        no: "Não, não concordo",
        saidYes: "Disse que sim. É isto que conta agora.",
        saidNo: "Disse que não. É isto que conta agora.",
        change: "Pode mudar a sua resposta aqui até \(.date).",
        awaiting: """
            Disse que sim. Ainda não conta: \(.sender) envia-lhe primeiro uma segunda mensagem com um link para \
            confirmar.
            """,
        confirmTitle: "Confirme a sua resposta",
        confirmQuestion: """
            Com o link que \(.sender) lhe enviou, alguém respondeu que sim. Foi você? Só conta se o confirmar aqui.
            """,
        confirmYes: "Sim, confirmo",
        newer: """
            \(.sender) voltou a perguntar-lhe desde então. Responda na mensagem mais recente. Aqui não se regista \
            nada.
            """,
        later: "Conta uma resposta sua mais recente. Aqui não se regista nada.",
        expiredTitle: "Esta pergunta terminou",
        expired: "Este link é demasiado antigo. Aqui não se regista nada.",
        nobody: "Já nada se sabe da pessoa a quem \(.sender) perguntou. Não se regista nada.",
        unreadableTitle: "Não se percebeu",
        unreadable: "Não foi possível ler esta resposta. Nada foi registado. Volte atrás e carregue num dos botões.")
}
