import Testing

@testable import HTTPAPI

/// Givers and takers are named by numbers; an action is written down as a text.
@Suite struct BackpressureStateMachineTests {
    private struct Broken: Error {}

    private typealias Machine = BackpressureStateMachine<Character, Int, Int>

    private func text(_ action: Machine.GiveAction) -> String {
        switch action {
        case .goOn: "go on"
        case .handOver(let taker, let elements): "\(String(elements)) to \(taker)"
        case .wait: "wait"
        case .refuse(let error): error == nil ? "over" : "broken"
        }
    }

    private func text(_ action: Machine.TakeAction) -> String {
        switch action {
        case .take(let elements, let giver): "\(String(elements)), resume \(giver.map(String.init) ?? "none")"
        case .wait: "wait"
        case .finish: "over"
        case .fail: "broken"
        }
    }

    @Test("a giver waits once more than the backlog is given, and goes on when that is taken")
    func backlog() {
        var machine = Machine(backlog: 2)
        #expect(text(machine.give("a", 1)) == "go on")
        #expect(text(machine.give("b", 1)) == "go on")
        #expect(text(machine.give("c", 1)) == "wait")
        #expect(text(machine.take(5)) == "abc, resume 1")
        #expect(text(machine.give("d", 1)) == "go on")
        #expect(text(machine.take(5)) == "d, resume none")
    }

    @Test("a taker that waits gets the next element at once")
    func taker() {
        var machine = Machine(backlog: 0)
        #expect(text(machine.take(5)) == "wait")
        #expect(text(machine.give("a", 1)) == "a to 5")
        #expect(text(machine.give("b", 1)) == "wait", "nobody waits for it any more")
    }

    @Test("after a proper end what was given is taken, and nothing can be given")
    func finished() {
        var machine = Machine(backlog: 2)
        _ = machine.give("a", 1)
        #expect(machine.finish().taker == nil)
        #expect(text(machine.give("b", 1)) == "over")
        #expect(text(machine.take(5)) == "a, resume none")
        #expect(text(machine.take(5)) == "over")
    }

    @Test("an end wakes the taker that waits, once")
    func wakesTaker() {
        var machine = Machine(backlog: 0)
        _ = machine.take(5)
        #expect(machine.finish().taker == 5)
        #expect(machine.fail(Broken()).taker == nil)
        #expect(text(machine.take(5)) == "over", "the first end stands")
    }

    @Test("a failure wakes the giver that waits, drops what waits and is told from then on")
    func fails() {
        var machine = Machine(backlog: 0)
        _ = machine.give("a", 1)
        let woken = machine.fail(Broken())
        #expect(woken.giver == 1)
        #expect(woken.taker == nil)
        #expect(text(machine.take(5)) == "broken")
        #expect(text(machine.give("b", 1)) == "broken")
        #expect(machine.finish().taker == nil)
        #expect(text(machine.take(5)) == "broken")
    }
}
