package import Identifiers
package import Interactions

extension MessageActivity {
    /// Counts all interactions of a message from nothing, recipient by recipient. Those without a recipient are nobody's.
    package init(of rows: [Row], madeAt: Timestamp? = nil) {
        var nobody = MessageActivity(madeAt: madeAt)
        var people: [RecipientReference: [Row]] = [:]
        for row in rows {
            if let recipient = row.recipient {
                people[recipient, default: []].append(row)
            } else {
                nobody.addOfNobody(row)
            }
        }
        var counts = nobody.counts
        for rows in people.values { counts += JudgedActivity(rows, madeAt: madeAt).counts }
        self.init(counts: counts, madeAt: madeAt)
    }
}
