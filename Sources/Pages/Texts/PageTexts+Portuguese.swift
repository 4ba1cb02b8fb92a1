extension PageTexts {
    static let portuguese = PageTexts(
        languages: "Idioma",
        withdrawal: WithdrawalTexts(
            isOn: "O rastreio de mensagens está ligado",
            isPartlyOn: "O rastreio de mensagens está ligado em parte",
            isOff: "O rastreio de mensagens está desligado",
            everything: .init(
                recorded: """
                    Quando abre uma mensagem de \(.sender) ou um link que está nela, isso pode ficar registado, com \
                    a hora.
                    """,
                notRecorded: """
                    Quando abre uma mensagem de \(.sender) ou um link que está nela, nada é registado sobre si.
                    """,
                turnOff: "Desligar o rastreio",
                keepOff: "Manter o rastreio desligado"),
            clicks: .init(
                recorded: "Quando abre um link numa mensagem de \(.sender), isso pode ficar registado, com a hora.",
                notRecorded: "Quando abre um link numa mensagem de \(.sender), nada é registado sobre si.",
                turnOff: "Desligar para os links",
                keepOff: "Manter desligado para os links"),
            clicksHeading: "Links",
            opens: .init(
                recorded: "Quando abre uma mensagem de \(.sender), isso pode ficar registado, com a hora.",
                notRecorded: "Quando abre uma mensagem de \(.sender), nada é registado sobre si.",
                turnOff: "Desligar para as mensagens",
                keepOff: "Manter desligado para as mensagens"),
            opensHeading: "Mensagens",
            choice: """
                Pode desligar isto. Os seus links continuam a funcionar e, a partir daí, nada é registado sobre si.
                """,
            choiceOfParts: "Pode desligar uma parte ou as duas. Os seus links continuam a funcionar.",
            undecided: "Ainda não disse se deve ficar desligado. Pode dizê-lo agora.",
            linksWork: "Os seus links continuam a funcionar.",
            staysOff: "Fica desligado enquanto não aceitar.",
            aboutPurpose: "Trata-se da finalidade \(.purpose).",
            unknownPerson: "Já nada se sabe da pessoa a quem \(.sender) enviou isto, e nada é registado sobre ela.",
            laterMessages: "Uma mensagem que recebeu mais tarde tem a sua própria página como esta.",
            turnAllOff: "Desligar tudo",
            keepAllOff: "Manter tudo desligado"),
        preferences: PreferencesTexts(
            title: "O rastreio de mensagens está desligado",
            notRecorded: """
                Veio de uma mensagem de \(.sender). Quando abre essa mensagem ou um link que está nela, nada é \
                registado sobre si.
                """,
            sameForAll: "Esta página é igual para todas as pessoas. Não sabe quem a está a ler.",
            agreeing: "Se quiser aceitar",
            voluntary: """
                Pode permitir que \(.sender) registe quando abre as suas mensagens e links. Não é obrigatório: tudo \
                funciona na mesma sem isso.
                """,
            agreeAt: "Ir para a página do remetente: \(.site)",
            askSender: "Se quiser permitir, pergunte a \(.sender).",
            changingYourMind: "Se aceitar, pode mudar de ideias e voltar a desligar em qualquer altura."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Link não encontrado",
                detail: """
                    Este link não está completo ou nunca foi válido. Abra-o de novo a partir da mensagem original.
                    """),
            linkDisabled: .init(
                title: "Link desligado",
                detail: "O remetente da mensagem desligou este link."),
            linkUnavailable: .init(
                title: "Tente de novo",
                detail: "De momento não é possível saber para onde vai este link. Tente de novo daqui a pouco."),
            wrongMethod: .init(
                title: "Este link abre-se de outra forma",
                detail: "Abra o link de novo a partir da mensagem original."),
            pageNotFound: .init(
                title: "Página não encontrada",
                detail: """
                    Este endereço não está completo ou nunca foi válido. Abra-o de novo a partir da mensagem \
                    original.
                    """),
            pageUnavailable: .init(
                title: "Tente de novo",
                detail: "De momento não é possível consultar nem mudar isto. Tente de novo daqui a pouco.")),
        consentRequests: .portuguese,
        receipts: .portuguese)
}
