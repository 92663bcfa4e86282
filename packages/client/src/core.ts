// The engine of a till and a client with a store share these. Programs need none of them.

export { scrubberOfKeys } from './attempts/book.js'
export { learntWord } from './attempts/learnt.js'
export { namesOrder } from './attempts/resolve/absence.js'
export { troubleTeller } from './attempts/store-trouble.js'
export { pause } from './config/read-settings.js'
export { warningTeller } from './diagnostics/observer.js'
export { invalidRequest, safeCause } from './errors/messages.js'
export { notReserved, reservationError } from './errors/reservation-error.js'
