/** Test files whose tables and properties have more rows in the long run: `cases` and `rows` in `soak.ts` say which. */
import '../src/config/addresses.test.js'
import '../src/reply/parse-reply.test.js'
import './bad-gateways-after.test.js'
import './check-steady.test.js'
import './refusals.test.js'
