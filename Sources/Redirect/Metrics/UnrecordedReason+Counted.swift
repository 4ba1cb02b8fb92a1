import Counting
import Interactions

extension UnrecordedReason: Counted {}
