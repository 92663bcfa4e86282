/** Decisions and adoptions in SQLite. In memory it is so each day. */
import { adoptsWhatWasMadeBefore } from './adoption.js'
import { engines } from './engines.js'
import { momentsOfDecision } from './people-moments.js'

adoptsWhatWasMadeBefore(engines.sqlite)
momentsOfDecision(engines.sqlite)
