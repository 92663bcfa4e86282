// The engine of a till shares these with the client. Programs need none of them.

export { pause } from './config/read-settings.js'
export { warningTeller } from './diagnostics/observer.js'
export { invalidRequest, safeCause } from './errors/messages.js'
export { namesOrder } from './reply/record.js'
