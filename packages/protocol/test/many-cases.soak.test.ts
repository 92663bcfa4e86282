/** Test files whose tables and properties have more cases in the long run: `cases` and `rows` in `soak.ts` say how many. */
import '../src/profile/profile.test.js'
import '../src/redaction/mask-card-number.test.js'
import '../src/redaction/scrub.test.js'
import './properties.test.js'
