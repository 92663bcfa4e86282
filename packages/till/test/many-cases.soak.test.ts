/** Test files whose tables and properties have more cases in the long run: `cases` and `rows` of the protocol's `soak.ts` say how many. */
import '../src/history/walks.test.js'
import '../src/rules/delivery/delivery.test.js'
import '../src/rules/orders/happened.test.js'
import '../src/rules/orders/reserve.test.js'
import '../src/rules/orders/totals-properties.test.js'
import '../src/state/room.test.js'
import '../src/store/keys.test.js'
