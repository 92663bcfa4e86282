/**
 * Modules of Node.js, asked for when they are first used.
 *
 * An `import` of one makes Node.js look at everything the module has, and so load what hides behind it (`node:crypto` has
 * the Web Crypto API): adr/0029.
 *
 * @module
 */
import { whenNeeded } from './when-needed.js'

/** The module `node:crypto`. */
export const nodeCrypto = /* @__PURE__ */ whenNeeded(() => process.getBuiltinModule('node:crypto'))

/** The module `node:diagnostics_channel`. */
export const nodeChannels = /* @__PURE__ */ whenNeeded(() => process.getBuiltinModule('node:diagnostics_channel'))

/** The module `node:fs`. */
export const nodeFiles = /* @__PURE__ */ whenNeeded(() => process.getBuiltinModule('node:fs'))

/** The module `node:timers/promises`. */
export const nodeTimers = /* @__PURE__ */ whenNeeded(() => process.getBuiltinModule('node:timers/promises'))
