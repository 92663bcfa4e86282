/** CPU of a hosted sale on PostgreSQL, the till beside the limit. */
import { limitRows } from '../limit-rows.js'

export const rows = await limitRows('postgres', { name: 'PostgreSQL', atMost: 2 })
