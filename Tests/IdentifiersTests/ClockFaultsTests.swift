import Identifiers
import Testing

@Suite struct ClockFaultsTests {
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(secondsSince1970: 1_795_348_800 + seconds) }

    private func fault(_ start: Int64, _ end: Int64, lead: Int) -> ClockFault {
        ClockFault(lead: .seconds(lead), since: at(start), until: at(end))
    }

    @Test("a time has the lead of the fault that it lies in, with both its ends, and none beside")
    func lead() {
        let faults = ClockFaults([fault(10, 20, lead: 3), fault(30, 40, lead: 5)])
        let leads = [9, 10, 20, 21, 30, 40, 41].map { faults.lead(at: at($0)) }
        #expect(leads == [nil, .seconds(3), .seconds(3), nil, .seconds(5), .seconds(5), nil])
        #expect(ClockFaults().lead(at: at(0)) == nil)
    }

    @Test("faults that overlap are one, with the greatest lead, in whatever order they are told")
    func joined() {
        let parts = [fault(0, 10, lead: 1), fault(30, 40, lead: 2), fault(5, 30, lead: 9), fault(50, 60, lead: 4)]
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let faults = ClockFaults(order.map { parts[$0] })
            #expect(faults == ClockFaults([fault(0, 40, lead: 9), fault(50, 60, lead: 4)]))
            #expect(parts.allSatisfy(faults.covers))
        }
    }

    @Test("an end shortens what goes on beyond it, and nothing else")
    func end() {
        var faults = ClockFaults([fault(0, 10, lead: 1), fault(20, 90, lead: 2)])
        faults.end(at: at(40))
        #expect(faults == ClockFaults([fault(0, 10, lead: 1), fault(20, 40, lead: 2)]))
    }

    @Test("of too many, the nearest are joined: there are never more, and none is lost")
    func bounded() {
        let all = (0..<400).map { index in
            let start = Int64(index) * 100 - (index == 200 ? 50 : 0)
            return fault(start, start + 10, lead: index + 1)
        }
        let faults = ClockFaults(all)
        #expect(faults.all.count == ClockFaults.maximumCount)
        #expect(all.allSatisfy(faults.covers))
        let fewer = ClockFaults(Array(all[100..<100 + ClockFaults.maximumCount + 1]))
        #expect(fewer.all.count == ClockFaults.maximumCount)
        #expect(fewer.covers(fault(19_900, 19_960, lead: 201)), "these two are the nearest")
    }
}
