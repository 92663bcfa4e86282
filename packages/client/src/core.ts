// What the engine of a till shares with a client that has a store. Programs need none of it.

export { scrubberOfKeys } from './attempts/book.js'
export { learntWord } from './attempts/learnt.js'
export { namesOrder } from './attempts/resolve/absence.js'
export { troubleTeller } from './attempts/store-trouble.js'
export { pause } from './config/read-settings.js'
export { warningTeller } from './diagnostics/observer.js'
export { invalidRequest, safeCause } from './errors/messages.js'
export { notReserved, reservationError } from './errors/reservation-error.js'
