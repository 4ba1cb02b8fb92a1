import Counting

/// Why a connection was closed without a whole request, or because there are too many.
package enum RefusedConnection: Int, Counted {
    case crowded
    case slow
    case malformed
}
