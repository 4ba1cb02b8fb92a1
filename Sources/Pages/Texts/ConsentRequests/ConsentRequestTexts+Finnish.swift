extension ConsentRequestTexts {
    static let finnish = ConsentRequestTexts(
        title: "Sinä päätät",
        question: "\(.sender) pyytää suostumustasi. Lue ensin tämä teksti:",
        readNotice: "Lue teksti",
        lookingIsNothing: "Pelkkä sivun avaaminen ei tallenna mitään. Vasta napin painaminen ratkaisee.",
        tracking: "Saako \(.sender) tallentaa tiedon siitä, milloin avaat viestejä ja niissä olevia linkkejä?",
        clicks: "Saako \(.sender) tallentaa tiedon siitä, milloin avaat viesteissä olevia linkkejä?",
        opens: "Saako \(.sender) tallentaa tiedon siitä, milloin avaat viestejä?",
        purpose: "Hyväksytkö tarkoituksen ”\(.purpose)”?",
        yes: "Kyllä, hyväksyn",
        no: "Ei, en hyväksy",
        saidYes: "Vastasit kyllä. Se on nyt voimassa.",
        saidNo: "Vastasit ei. Se on nyt voimassa.",
        change: "Voit muuttaa vastaustasi tässä \(.date) asti.",
        awaiting: """
            Vastasit kyllä. Se ei ole vielä voimassa: \(.sender) lähettää sinulle ensin toisen viestin, jossa \
            olevalla linkillä vahvistat vastauksesi.
            """,
        confirmTitle: "Vahvista vastauksesi",
        confirmQuestion: """
            Linkillä, jonka \(.sender) lähetti sinulle, vastattiin kyllä. Vastasitko sinä? Vastaus on voimassa vain, \
            jos vahvistat sen tässä.
            """,
        confirmYes: "Kyllä, vahvistan",
        newer: """
            \(.sender) on kysynyt sinulta sen jälkeen uudelleen. Vastaa uudemmassa viestissä. Tässä ei tallenneta \
            mitään.
            """,
        later: "Myöhempi vastauksesi on voimassa. Tässä ei tallenneta mitään.",
        expiredTitle: "Kysymys on vanhentunut",
        expired: "Linkki on liian vanha. Tässä ei tallenneta mitään.",
        nobody: "Henkilöstä, jolta \(.sender) kysyi, ei enää tiedetä mitään. Mitään ei tallenneta.",
        unreadableTitle: "Vastausta ei ymmärretty",
        unreadable: "Vastausta ei voitu lukea. Mitään ei tallennettu. Palaa takaisin ja paina jompaakumpaa nappia.")
}
