extension PageTexts {
    static let french = PageTexts(
        languages: "Langue",
        withdrawal: WithdrawalTexts(
            isOn: "Le suivi des messages est activé",
            isPartlyOn: "Le suivi des messages est activé en partie",
            isOff: "Le suivi des messages est désactivé",
            everything: .init(
                recorded: """
                    Quand vous ouvrez un message de \(.sender) ou un lien qu’il contient, cela peut être enregistré, \
                    avec l’heure.
                    """,
                notRecorded: """
                    Quand vous ouvrez un message de \(.sender) ou un lien qu’il contient, rien n’est enregistré sur \
                    vous.
                    """,
                turnOff: "Désactiver le suivi",
                keepOff: "Laisser le suivi désactivé"),
            clicks: .init(
                recorded: """
                    Quand vous ouvrez un lien dans un message de \(.sender), cela peut être enregistré, avec \
                    l’heure.
                    """,
                notRecorded: """
                    Quand vous ouvrez un lien dans un message de \(.sender), rien n’est enregistré sur vous.
                    """,
                turnOff: "Désactiver pour les liens",
                keepOff: "Laisser désactivé pour les liens"),
            clicksHeading: "Liens",
            opens: .init(
                recorded: "Quand vous ouvrez un message de \(.sender), cela peut être enregistré, avec l’heure.",
                notRecorded: "Quand vous ouvrez un message de \(.sender), rien n’est enregistré sur vous.",
                turnOff: "Désactiver pour les messages",
                keepOff: "Laisser désactivé pour les messages"),
            opensHeading: "Messages",
            choice: """
                Vous pouvez désactiver ce suivi. Vos liens continueront à fonctionner et, dès ce moment, rien ne \
                sera enregistré sur vous.
                """,
            choiceOfParts: "Vous pouvez désactiver une partie ou les deux. Vos liens continueront à fonctionner.",
            undecided: """
                Vous n’avez pas encore dit si le suivi doit rester désactivé. Vous pouvez le dire maintenant.
                """,
            linksWork: "Vos liens continueront à fonctionner.",
            staysOff: "Le suivi reste désactivé tant que vous ne l’acceptez pas.",
            aboutPurpose: "Il s’agit de la finalité \(.purpose).",
            unknownPerson: """
                On ne sait plus rien de la personne à qui \(.sender) a envoyé ce message, et rien n’est enregistré \
                sur elle.
                """,
            laterMessages: "Un message que vous avez reçu plus tard a sa propre page comme celle-ci.",
            turnAllOff: "Tout désactiver",
            keepAllOff: "Tout laisser désactivé"),
        preferences: PreferencesTexts(
            title: "Le suivi des messages est désactivé",
            notRecorded: """
                Vous venez d’un message de \(.sender). Quand vous ouvrez ce message ou un lien qu’il contient, rien \
                n’est enregistré sur vous.
                """,
            sameForAll: "Cette page est la même pour tout le monde. Elle ne sait pas qui vous êtes.",
            agreeing: "Si vous voulez accepter",
            voluntary: """
                Vous pouvez permettre à \(.sender) d’enregistrer quand vous ouvrez ses messages et ses liens. Ce \
                n’est pas obligatoire : tout fonctionne aussi sans cela.
                """,
            agreeAt: "Aller à la page de l’expéditeur : \(.site)",
            askSender: "Si vous voulez le permettre, demandez à \(.sender).",
            changingYourMind: "Si vous acceptez, vous pouvez changer d’avis et désactiver le suivi à tout moment."),
        refusals: RefusalTexts(
            linkNotFound: .init(
                title: "Lien introuvable",
                detail: """
                    Ce lien n’est pas complet ou n’a jamais été valable. Veuillez l’ouvrir à nouveau depuis le \
                    message d’origine.
                    """),
            linkDisabled: .init(
                title: "Lien désactivé",
                detail: "L’expéditeur du message a désactivé ce lien."),
            linkUnavailable: .init(
                title: "Veuillez réessayer",
                detail: "Impossible de savoir pour le moment où mène ce lien. Veuillez réessayer dans un instant."),
            wrongMethod: .init(
                title: "Ce lien s’ouvre autrement",
                detail: "Veuillez ouvrir à nouveau le lien depuis le message d’origine."),
            pageNotFound: .init(
                title: "Page introuvable",
                detail: """
                    Cette adresse n’est pas complète ou n’a jamais été valable. Veuillez l’ouvrir à nouveau depuis \
                    le message d’origine.
                    """),
            pageUnavailable: .init(
                title: "Veuillez réessayer",
                detail: """
                    Impossible de consulter ou de changer cela pour le moment. Veuillez réessayer dans un instant.
                    """)),
        consentRequests: .french,
        receipts: .french)
}
