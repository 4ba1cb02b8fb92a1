import Counting
import Testing

@Suite struct CounterTests {
    enum Fruit: Int, Counted {
        case apple
        case pear
    }

    @Test("what many threads count at once adds up")
    func concurrent() async {
        let counters = CaseCounters<Fruit>()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 {
                        counters.add(1, .apple)
                        counters.add(2, .pear)
                    }
                }
            }
        }
        #expect(counters[.apple] == 80_000)
        #expect(counters[.pear] == 160_000)
    }

    @Test("every case is told from the beginning, under its own name")
    func zero() {
        let text = PrometheusText([.counters("fruit_total", "Fruit.", by: "kind", [CaseCounters<Fruit>()])]).text
        #expect(text.hasSuffix("fruit_total{kind=\"apple\"} 0\nfruit_total{kind=\"pear\"} 0\n"))
    }

    @Test("cases without indices of their own are counted at their places, and told in their order")
    func strings() {
        enum Colour: String, CaseIterable {
            case red
            case green
        }
        let counters = CaseCounters<Colour>()
        counters.add(3, .green)
        #expect(counters.counts.map(\.which) == [.red, .green])
        #expect(counters.counts.map(\.count) == [0, 3])
    }

    @Test("each of many cases is counted, in whatever order they come, and none for none")
    func each() {
        enum Colour: String, CaseIterable {
            case red
            case green
            case blue
        }
        let counters = CaseCounters<Colour>()
        counters.add(each: [.blue, .red, .blue, .blue])
        counters.add(each: [Colour]())
        counters.add(each: [Colour.red].lazy.map { $0 })
        #expect(counters.counts.map(\.count) == [2, 0, 3])
    }

    @Test("counters of several are added up")
    func sum() {
        let (one, other) = (CaseCounters<Fruit>(), CaseCounters<Fruit>())
        one.add(1, .pear)
        other.add(4, .pear)
        let text = PrometheusText([.counters("fruit_total", "Fruit.", by: "kind", [one, other])]).text
        #expect(text.hasSuffix("fruit_total{kind=\"apple\"} 0\nfruit_total{kind=\"pear\"} 5\n"))
    }

    @Test("readings of one kind are added bucket by bucket, sums too")
    func histograms() {
        let (one, other) = (Histogram(boundsInMicroseconds: [1]), Histogram(boundsInMicroseconds: [1]))
        one.observe(nanoseconds: 10)
        other.observe(nanoseconds: 10)
        other.observe(.microseconds(5))
        let total = HistogramReading.total(of: [one.reading, other.reading])
        #expect(total?.counts == [2, 1])
        #expect(total?.sum == 5020)
        #expect(HistogramReading.total(of: []) == nil)
    }
}
