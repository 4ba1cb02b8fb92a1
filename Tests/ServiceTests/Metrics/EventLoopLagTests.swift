import Counting
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Service

@Suite struct EventLoopLagTests {
    @Test("the time between a timer's deadline and its run is observed, again and again")
    func late() throws {
        let loop = EmbeddedEventLoop()
        // What the loop does besides takes this long after each reading.
        let busy = Mutex(TimeAmount.nanoseconds(0))
        let lag = EventLoopLag(of: loop) { loop in loop.now + busy.withLock { $0 } }
        loop.advanceTime(by: EventLoopLag.interval)
        busy.withLock { $0 = .milliseconds(30) }
        loop.advanceTime(by: EventLoopLag.interval)
        let text = PrometheusText(lag.metrics).text
        #expect(text.contains(#"consentlink_event_loop_lag_seconds_bucket{le="0.0005"} 1"# + "\n"))
        #expect(text.contains(#"consentlink_event_loop_lag_seconds_bucket{le="0.025"} 1"# + "\n"))
        #expect(text.contains(#"consentlink_event_loop_lag_seconds_bucket{le="0.05"} 2"# + "\n"))
        #expect(text.contains("consentlink_event_loop_lag_seconds_sum 0.03\n"))
    }

    @Test("before the first timer nothing is observed")
    func early() {
        let loop = EmbeddedEventLoop()
        let lag = EventLoopLag(of: loop)
        loop.advanceTime(by: EventLoopLag.interval - .nanoseconds(1))
        #expect(PrometheusText(lag.metrics).text.contains("seconds_count 0\n"))
        loop.advanceTime(by: .nanoseconds(1))
        #expect(PrometheusText(lag.metrics).text.contains("seconds_count 1\n"))
    }
}
