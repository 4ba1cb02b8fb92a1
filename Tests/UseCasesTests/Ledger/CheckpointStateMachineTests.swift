import Cryptography
import Identifiers
import Ledger
import Testing

@testable import UseCases

@Suite struct CheckpointStateMachineTests {
    private let acme: OrganizationID
    private let key: SignerKey
    private let leaves: [TreeHash]
    /// The ledger with two entries, and with four.
    private let two: TreeHead
    private let four: TreeHead
    /// From two to four.
    private let proof: ConsistencyProof

    init() throws {
        acme = try OrganizationID("acme")
        key = try Self.key(3)
        var hasher = TreeHasher()
        leaves = (0..<4).map { hasher.leaf([UInt8($0)]) }
        two = TreeHead(size: 2, root: hasher.root(of: leaves[..<2]))
        four = TreeHead(size: 4, root: hasher.root(of: leaves[...]))
        proof = ConsistencyProof(oldSize: 2, hashes: [hasher.node(leaves[2], leaves[3])])
    }

    private static func key(_ byte: UInt8, host: String = "links.example") throws -> SignerKey {
        try SignerKey(name: KeyName("\(host)/acme"), seed: SecretBytes([UInt8](repeating: byte, count: 32)))
    }

    private func machine(
        _ purpose: CheckpointStateMachine.Purpose = .signing, newest: SignedCheckpoint? = nil
    ) -> CheckpointStateMachine {
        CheckpointStateMachine(acme, purpose, key: key, newest: newest)
    }

    /// A machine that knows `newest`, which is archived and kept.
    private func held(newest: SignedCheckpoint? = nil) -> CheckpointStateMachine {
        var machine = machine(newest: newest)
        _ = machine.begin()
        _ = machine.found(archived: newest?.bytes, kept: newest?.bytes)
        return machine
    }

    @Test("a first checkpoint is archived before it is kept, and known from then on")
    func first() {
        var machine = machine()
        let signed = key.sign(four)
        #expect(machine.begin() == .readNotes)
        #expect(machine.found(archived: nil, kept: nil) == .readHead)
        #expect(machine.found(head: four) == .archive(signed))
        #expect(machine.newest == nil, "it is not on disk yet")
        #expect(machine.archived() == .keep(signed, after: nil))
        #expect(machine.newest == signed, "whether or not the store takes it")
        #expect(machine.kept() == .end(.signed(signed)))
    }

    @Test("a tree that is proved to begin with the last one is signed")
    func grown() {
        var machine = held(newest: key.sign(two))
        #expect(machine.found(head: four) == .prove(from: two, to: four))
        #expect(machine.proved(proof) == .archive(key.sign(four)))
        #expect(machine.archived() == .keep(key.sign(four), after: two))
    }

    @Test("what was archived and not kept is kept, although the tree has not grown")
    func notKept() {
        for kept in [nil, key.sign(two)] {
            var machine = machine(newest: key.sign(four))
            _ = machine.begin()
            if machine.found(archived: key.sign(four).bytes, kept: kept?.bytes) == .compare(two) {
                #expect(machine.compared(nil) == .readHead)
            }
            #expect(machine.found(head: four) == .keep(key.sign(four), after: kept?.head))
            #expect(machine.kept() == .end(.unchanged(key.sign(four))))
        }
    }

    @Test("when somebody else has signed meanwhile, the ledger is held to that and the attempt begins anew")
    func moved() {
        var machine = held()
        #expect(machine.found(head: two) == .archive(key.sign(two)))
        #expect(machine.archived() == .keep(key.sign(two), after: nil))
        #expect(machine.moved() == .readNotes)
        #expect(machine.found(archived: key.sign(two).bytes, kept: key.sign(four).bytes) == .compare(four))
        #expect(machine.newest == key.sign(four))
        #expect(machine.compared(nil) == .readHead)
        #expect(machine.found(head: four) == .end(.unchanged(key.sign(four))))
    }

    @Test("somebody else's checkpoint that the ledger departs from is not signed over")
    func movedAway() {
        var machine = held()
        _ = machine.found(head: two)
        _ = machine.archived()
        _ = machine.moved()
        _ = machine.found(archived: key.sign(two).bytes, kept: key.sign(four).bytes)
        let finding = LedgerInconsistency(acme, .missing(2...3))
        #expect(machine.compared(finding) == .end(.closed(finding)))
    }

    @Test("a signer that others outrun gives up")
    func outrun() {
        var machine = held()
        _ = machine.found(head: four)
        var action = machine.archived()
        for _ in 1...CheckpointStateMachine.maximumMoves {
            #expect(action == .keep(key.sign(four), after: nil))
            #expect(machine.moved() == .readNotes)
            _ = machine.found(archived: key.sign(four).bytes, kept: nil)
            action = machine.found(head: four)
        }
        #expect(machine.moved() == .end(.outrun))
    }

    @Test("a tree that has not grown is not signed again")
    func unchanged() {
        var machine = held(newest: key.sign(four))
        #expect(machine.found(head: four) == .end(.unchanged(key.sign(four))))
    }

    @Test("a tree without a proof, or with one that does not hold, is compared entry by entry and never signed")
    func departed() {
        let wrong = ConsistencyProof(oldSize: 2, hashes: [leaves[0]])
        let finding = LedgerInconsistency(acme, .changed(1))
        for proof in [nil, wrong] {
            var named = held(newest: key.sign(two))
            _ = named.found(head: four)
            #expect(named.proved(proof) == .compare(two))
            #expect(named.compared(finding) == .end(.closed(finding)), "the store has closed it with what it found")
            var unnamed = held(newest: key.sign(two))
            _ = unnamed.found(head: four)
            #expect(unnamed.proved(proof) == .compare(two))
            #expect(unnamed.compared(nil) == .close(LedgerInconsistency(acme, .anotherTree(0...1))))
        }
    }

    @Test("a tree that became smaller, or another one of its size, is never signed")
    func smaller() {
        var smaller = held(newest: key.sign(four))
        #expect(smaller.found(head: two) == .compare(four))
        #expect(smaller.compared(nil) == .close(LedgerInconsistency(acme, .anotherTree(0...3))))
        let other = TreeHead(size: 4, root: leaves[0])
        var exchanged = held(newest: key.sign(four))
        #expect(exchanged.found(head: other) == .prove(from: four, to: other))
        #expect(exchanged.proved(ConsistencyProof(oldSize: 4, hashes: [])) == .compare(four))
    }

    @Test("entries that no node has sealed are not signed, and close the ledger")
    func unsealed() {
        let reason = LedgerInconsistency(acme, .derived(.seal))
        var first = held()
        #expect(first.found(head: two, isSealed: false) == .close(reason))
        var grown = held(newest: key.sign(two))
        #expect(grown.found(head: four, isSealed: false) == .prove(from: two, to: four))
        #expect(grown.proved(proof) == .close(reason))
        // What was signed says more about a tree that departs from it.
        var smaller = held(newest: key.sign(four))
        #expect(smaller.found(head: two, isSealed: false) == .compare(four))
    }

    @Test("a tree that was signed is sealed once more, and need not have a seal")
    func sealedAgain() {
        var machine = held(newest: key.sign(four))
        #expect(machine.found(head: four, isSealed: false) == .seal(four))
        #expect(machine.sealed() == .end(.unchanged(key.sign(four))))
    }

    @Test("every tree begins with an empty one, of which nothing can be proved")
    func empty() {
        var hasher = TreeHasher()
        let nothing = TreeHead(size: 0, root: hasher.empty())
        var machine = held(newest: key.sign(nothing))
        #expect(machine.found(head: two) == .prove(from: nothing, to: two))
        #expect(machine.proved(ConsistencyProof(oldSize: 0, hashes: [])) == .archive(key.sign(two)))
    }

    @Test("the ledger is compared with each note, and the greatest is the newest, whatever the ledger says")
    func notes() {
        var machine = machine()
        _ = machine.begin()
        #expect(machine.found(archived: key.sign(two).bytes, kept: key.sign(four).bytes) == .compare(two))
        #expect(machine.newest == key.sign(four))
        #expect(machine.compared(nil) == .compare(four))
        let finding = LedgerInconsistency(acme, .missing(2...3))
        #expect(machine.compared(finding) == .end(.closed(finding)))
        #expect(machine.newest == key.sign(four))
    }

    @Test("the note that was signed last is not compared again, and a smaller one does not replace it")
    func known() {
        var machine = machine(newest: key.sign(four))
        _ = machine.begin()
        #expect(machine.found(archived: key.sign(four).bytes, kept: key.sign(two).bytes) == .compare(two))
        #expect(machine.newest == key.sign(four))
        #expect(machine.compared(nil) == .readHead)
    }

    @Test("holding compares the note that was signed last, too, and each note once")
    func holdingKnown() {
        let (two, four) = (key.sign(self.two), key.sign(self.four))
        for (archived, kept) in [(four, two), (two, four), (two, two)] {
            var machine = machine(.holding, newest: four)
            _ = machine.begin()
            #expect(machine.found(archived: archived.bytes, kept: kept.bytes) == .compare(four.head))
            #expect(machine.compared(nil) == .compare(two.head))
            #expect(machine.compared(nil) == .end(.held))
        }
        var machine = machine(.holding, newest: four)
        _ = machine.begin()
        #expect(machine.found(archived: four.bytes, kept: two.bytes) == .compare(four.head))
        let finding = LedgerInconsistency(acme, .missing(2...3))
        #expect(machine.compared(finding) == .end(.closed(finding)), "although the note in the store agrees")
    }

    @Test("a note that this key did not sign closes the ledger, also one that another key signed")
    func foreign() throws {
        for note in [try Self.key(4).sign(four).bytes, Array("nonsense".utf8), []] {
            var machine = machine()
            _ = machine.begin()
            #expect(machine.found(archived: key.sign(two).bytes, kept: note) == .compare(two))
            #expect(!machine.isUnverifiable)
            #expect(machine.compared(nil) == .close(LedgerInconsistency(acme, .checkpoint)))
            #expect(machine.isUnverifiable)
        }
    }

    @Test("a note that was verified under another name of the ledger is verified under its present name")
    func renamed() throws {
        let before = try Self.key(3, host: "elsewhere.example").sign(four)
        var holding = machine(.holding, newest: before)
        _ = holding.begin()
        #expect(
            holding.found(archived: before.bytes, kept: before.bytes)
                == .close(LedgerInconsistency(acme, .checkpoint)))
        #expect(holding.isUnverifiable)
        var signing = machine(newest: before)
        _ = signing.begin()
        #expect(signing.found(archived: before.bytes, kept: before.bytes) == .readHead)
        #expect(signing.found(head: four) == .keep(before, after: nil), "the store has no note by this name")
    }

    @Test("the note in the store counts as kept, also if it is the one that was signed last or that was archived")
    func keptOnce() {
        let two = key.sign(self.two)
        for newest in [nil, two] {
            var machine = machine(newest: newest)
            _ = machine.begin()
            if machine.found(archived: two.bytes, kept: two.bytes) == .compare(two.head) {
                #expect(machine.compared(nil) == .readHead)
            }
            #expect(machine.found(head: two.head) == .end(.unchanged(two)))
        }
    }

    @Test("holding ends after the comparison")
    func holding() {
        var machine = machine(.holding)
        _ = machine.begin()
        #expect(machine.found(archived: key.sign(two).bytes, kept: nil) == .compare(two))
        #expect(machine.compared(nil) == .end(.held))
    }

    @Test("of a ledger that does not exist nothing is signed")
    func notFound() {
        var machine = held()
        #expect(machine.found(head: nil) == .end(.notFound))
    }
}
