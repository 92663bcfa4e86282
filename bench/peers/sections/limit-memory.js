/** CPU of a hosted sale in memory, the till beside the limit. */
import { limitRows } from '../limit-rows.js'

export const rows = await limitRows('memory', { name: 'memory', atMost: 2.2 })
