// In the order of the languages' tags.
extension ReceiptTexts {
    static let czech = ReceiptTexts(
        offer: """
            Můžete si nechat potvrzení. Je to soubor, který dokazuje, co jste řekli a kdy. Je v něm vaše jméno nebo \
            adresa, pod kterou vás odesílatel zná. Odkaz funguje jednu hodinu.
            """,
        save: "Uložit potvrzení",
        notFound: .init(
            title: "Potvrzení nenalezeno",
            detail: "Tato adresa není celá, nebo už není nic známo o člověku, pro kterého byla."),
        expired: .init(
            title: "Odkaz už neplatí",
            detail: """
                Potvrzení se dá stáhnout jednu hodinu. Potom se zeptejte odesílatele, co je o vás zaznamenáno.
                """),
        notReady: .init(
            title: "Zkuste to prosím znovu",
            detail: "Potvrzení ještě není hotové. Zkuste to prosím za chvíli znovu."))

    static let danish = ReceiptTexts(
        offer: """
            Du kan gemme en kvittering. Det er en fil, der beviser, hvad du har sagt og hvornår. Den indeholder det \
            navn eller den adresse, som afsenderen kender dig under. Linket virker i en time.
            """,
        save: "Gem kvitteringen",
        notFound: .init(
            title: "Kvitteringen blev ikke fundet",
            detail: "Adressen er ikke hel, eller der vides ikke længere noget om den person, den var til."),
        expired: .init(
            title: "Linket er udløbet",
            detail: """
                En kvittering kan hentes i en time. Derefter kan du spørge afsenderen, hvad der er registreret om dig.
                """),
        notReady: .init(
            title: "Prøv igen", detail: "Kvitteringen er ikke klar endnu. Prøv igen om lidt."))

    static let german = ReceiptTexts(
        offer: """
            Sie können einen Beleg behalten. Das ist eine Datei, die beweist, was Sie gesagt haben und wann. Darin \
            steht der Name oder die Adresse, unter der der Absender Sie kennt. Der Link funktioniert eine Stunde lang.
            """,
        save: "Beleg speichern",
        notFound: .init(
            title: "Beleg nicht gefunden",
            detail: """
                Diese Adresse ist nicht vollständig, oder über die Person, für die sie war, ist nichts mehr bekannt.
                """),
        expired: .init(
            title: "Dieser Link ist abgelaufen",
            detail: """
                Ein Beleg kann eine Stunde lang abgeholt werden. Fragen Sie danach den Absender, was über Sie \
                gespeichert ist.
                """),
        notReady: .init(
            title: "Bitte versuchen Sie es noch einmal",
            detail: "Der Beleg ist noch nicht fertig. Bitte versuchen Sie es gleich noch einmal."))

    static let english = ReceiptTexts(
        offer: """
            You can keep a receipt. It is a file that proves what you said and when. It contains the name or address \
            by which the sender knows you. The link works for one hour.
            """,
        save: "Save the receipt",
        notFound: .init(
            title: "Receipt not found",
            detail: "This address is not complete, or nothing is known any more about the person it was for."),
        expired: .init(
            title: "This link has run out",
            detail: "A receipt can be fetched for one hour. After that, ask the sender what is recorded about you."),
        notReady: .init(
            title: "Please try again", detail: "The receipt is not ready yet. Please try again in a moment."))

    static let spanish = ReceiptTexts(
        offer: """
            Puedes guardar un recibo. Es un archivo que demuestra qué dijiste y cuándo. Contiene el nombre o la \
            dirección con que te conoce el remitente. El enlace funciona durante una hora.
            """,
        save: "Guardar el recibo",
        notFound: .init(
            title: "Recibo no encontrado",
            detail: "Esta dirección no está completa, o ya no se sabe nada de la persona para la que era."),
        expired: .init(
            title: "Este enlace ha caducado",
            detail: """
                Un recibo se puede descargar durante una hora. Después, pregunta al remitente qué hay registrado \
                sobre ti.
                """),
        notReady: .init(
            title: "Inténtalo de nuevo",
            detail: "El recibo todavía no está listo. Inténtalo de nuevo dentro de un momento."))

    static let finnish = ReceiptTexts(
        offer: """
            Voit tallentaa kuitin. Se on tiedosto, joka todistaa, mitä sanoit ja milloin. Siinä on nimi tai osoite, \
            jolla lähettäjä tuntee sinut. Linkki toimii tunnin ajan.
            """,
        save: "Tallenna kuitti",
        notFound: .init(
            title: "Kuittia ei löytynyt",
            detail: "Osoite ei ole kokonainen, tai henkilöstä, jolle se oli, ei enää tiedetä mitään."),
        expired: .init(
            title: "Linkki on vanhentunut",
            detail: """
                Kuitin voi hakea tunnin ajan. Sen jälkeen voit kysyä lähettäjältä, mitä sinusta on tallennettu.
                """),
        notReady: .init(
            title: "Yritä uudelleen", detail: "Kuitti ei ole vielä valmis. Yritä hetken kuluttua uudelleen."))
}

extension ReceiptTexts {
    static let french = ReceiptTexts(
        offer: """
            Vous pouvez garder un reçu. C’est un fichier qui prouve ce que vous avez dit et quand. Il contient le nom \
            ou l’adresse sous lesquels l’expéditeur vous connaît. Le lien fonctionne pendant une heure.
            """,
        save: "Enregistrer le reçu",
        notFound: .init(
            title: "Reçu introuvable",
            detail: """
                Cette adresse n’est pas complète, ou on ne sait plus rien de la personne à qui elle était destinée.
                """),
        expired: .init(
            title: "Ce lien a expiré",
            detail: """
                Un reçu peut être téléchargé pendant une heure. Ensuite, demandez à l’expéditeur ce qui est enregistré \
                sur vous.
                """),
        notReady: .init(
            title: "Veuillez réessayer",
            detail: "Le reçu n’est pas encore prêt. Veuillez réessayer dans un instant."))

    static let italian = ReceiptTexts(
        offer: """
            Puoi conservare una ricevuta. È un file che dimostra che cosa hai detto e quando. Contiene il nome o \
            l’indirizzo con cui il mittente ti conosce. Il link funziona per un’ora.
            """,
        save: "Salva la ricevuta",
        notFound: .init(
            title: "Ricevuta non trovata",
            detail: "Questo indirizzo non è completo, oppure della persona a cui era destinato non si sa più nulla."),
        expired: .init(
            title: "Questo link è scaduto",
            detail: """
                Una ricevuta si può scaricare per un’ora. Dopo, chiedi al mittente che cosa è registrato su di te.
                """),
        notReady: .init(title: "Riprova", detail: "La ricevuta non è ancora pronta. Riprova tra poco."))

    static let dutch = ReceiptTexts(
        offer: """
            Je kunt een bewijs bewaren. Dat is een bestand dat aantoont wat je hebt gezegd en wanneer. De naam of het \
            adres waaronder de afzender je kent, staat erin. De link werkt een uur.
            """,
        save: "Bewijs opslaan",
        notFound: .init(
            title: "Bewijs niet gevonden",
            detail: """
                Dit adres is niet volledig, of over de persoon voor wie het was, is niets meer bekend.
                """),
        expired: .init(
            title: "Deze link is verlopen",
            detail: """
                Een bewijs kan een uur lang worden opgehaald. Vraag daarna de afzender wat er over je is vastgelegd.
                """),
        notReady: .init(
            title: "Probeer het opnieuw", detail: "Het bewijs is nog niet klaar. Probeer het zo nog eens."))

    static let polish = ReceiptTexts(
        offer: """
            Możesz zachować potwierdzenie. To plik, który dowodzi, jaką decyzję podjęto i kiedy. Zawiera twoje imię \
            i nazwisko lub adres, pod którym zna cię nadawca. Link działa przez godzinę.
            """,
        save: "Zapisz potwierdzenie",
        notFound: .init(
            title: "Nie znaleziono potwierdzenia",
            detail: "Ten adres jest niepełny albo nic już nie wiadomo o osobie, dla której był."),
        expired: .init(
            title: "Ten link wygasł",
            detail: """
                Potwierdzenie można pobrać przez godzinę. Później zapytaj nadawcę, co jest o tobie zapisane.
                """),
        notReady: .init(
            title: "Spróbuj ponownie",
            detail: "Potwierdzenie nie jest jeszcze gotowe. Spróbuj ponownie za chwilę."))

    static let portuguese = ReceiptTexts(
        offer: """
            Pode guardar um recibo. É um ficheiro que prova o que disse e quando. Contém o nome ou o endereço pelo qual \
            o remetente o conhece a si. O link funciona durante uma hora.
            """,
        save: "Guardar o recibo",
        notFound: .init(
            title: "Recibo não encontrado",
            detail: "Este endereço não está completo, ou já nada se sabe da pessoa a quem se destinava."),
        expired: .init(
            title: "Este link expirou",
            detail: """
                Um recibo pode ser descarregado durante uma hora. Depois, pergunte ao remetente o que está registado \
                sobre si.
                """),
        notReady: .init(
            title: "Tente de novo", detail: "O recibo ainda não está pronto. Tente de novo daqui a pouco."))

    static let swedish = ReceiptTexts(
        offer: """
            Du kan spara ett kvitto. Det är en fil som bevisar vad du har sagt och när. I den står namnet eller adressen \
            som avsändaren känner dig under. Länken fungerar i en timme.
            """,
        save: "Spara kvittot",
        notFound: .init(
            title: "Kvittot hittades inte",
            detail: "Adressen är inte hel, eller så vet man ingenting längre om personen som den var till."),
        expired: .init(
            title: "Länken har slutat gälla",
            detail: """
                Ett kvitto kan hämtas i en timme. Fråga därefter avsändaren vad som är registrerat om dig.
                """),
        notReady: .init(title: "Försök igen", detail: "Kvittot är inte klart än. Försök igen om en stund."))
}
