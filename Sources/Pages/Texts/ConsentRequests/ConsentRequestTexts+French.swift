extension ConsentRequestTexts {
    static let french = ConsentRequestTexts(
        title: "Votre choix",
        question: "\(.sender) demande votre accord. Veuillez d’abord lire ce texte :",
        readNotice: "Lire la notice",
        lookingIsNothing: "Ouvrir cette page n’enregistre rien. Seul un appui sur un bouton compte.",
        tracking: "\(.sender) peut-il enregistrer quand vous ouvrez ses messages et les liens qu’ils contiennent ?",
        clicks: "\(.sender) peut-il enregistrer quand vous ouvrez les liens de ses messages ?",
        opens: "\(.sender) peut-il enregistrer quand vous ouvrez ses messages ?",
        purpose: "Êtes-vous d’accord avec « \(.purpose) » ?",
        yes: "Oui, j’accepte",
        no: "Non, je refuse",
        saidYes: "Vous avez dit oui. Cela compte maintenant.",
        saidNo: "Vous avez dit non. Cela compte maintenant.",
        change: "Vous pouvez changer votre réponse ici jusqu’au \(.date).",
        awaiting: """
            Vous avez dit oui. Cela ne compte pas encore : \(.sender) vous envoie d’abord un second message avec un \
            lien pour confirmer.
            """,
        confirmTitle: "Veuillez confirmer",
        confirmQuestion: """
            On a répondu oui avec le lien que \(.sender) vous a envoyé. Était-ce vous ? Cela ne compte que si vous \
            le confirmez ici.
            """,
        confirmYes: "Oui, je confirme",
        newer: """
            \(.sender) vous a posé la question de nouveau depuis. Veuillez répondre dans le message plus récent. \
            Rien n’est enregistré ici.
            """,
        later: "Une réponse plus récente de votre part compte. Rien n’est enregistré ici.",
        expiredTitle: "Cette question est terminée",
        expired: "Ce lien est trop ancien. Rien n’est enregistré ici.",
        nobody: "On ne sait plus rien de la personne à qui \(.sender) a posé la question. Rien n’est enregistré.",
        unreadableTitle: "Réponse non comprise",
        unreadable: """
            Cette réponse n’a pas pu être lue. Rien n’a été enregistré. Veuillez revenir en arrière et appuyer sur \
            un des boutons.
            """)
}
