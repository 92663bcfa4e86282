/** CPU of a hosted sale on SQLite, the till beside the limit. */
import { limitRows } from '../limit-rows.js'

export const rows = await limitRows('sqlite', { name: 'SQLite', atMost: 2.2 })
