/**
 * The engines that are measured. One is a name, what is asked of it, and `open()`, which gives two stores on fresh ground: `coalesced`,
 * as it is by default, and `single`, where each write has a commit of its own; and `close()`, which takes the ground away again.
 *
 * `atLeast`: by the number of callers, how many times the lives of `single` those of `coalesced` must be.
 */
import { postgres } from './engines/postgres.js'
import { sqlite } from './engines/sqlite.js'

export const engines = [sqlite, postgres]
