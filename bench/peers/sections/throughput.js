/** Hosted sales a second on PostgreSQL: the till beside workflows of DBOS Transact, and beside Express and `pg` by hand. */
import { startDatabases } from '../databases.js'
import { sideBySide } from '../side-by-side.js'

const callers = 32

const databases = await startDatabases()
const merchant = async (program, options) => ({ program, options: { ...options, url: await databases.next() } })
const { middle, ratio } = await sideBySide(
  {
    till: await merchant('till', { engine: 'postgres' }),
    'DBOS Transact': await merchant('dbos', { shape: 'start' }),
    'by hand': await merchant('by-hand'),
  },
  { callers },
)
await databases.stop()

const rowOf = (peer, against, atLeast) => ({
  name: `Hosted sales from pay to told, ${callers} at a time, PostgreSQL`,
  against,
  ratio: ratio('till', peer, 'perSecond'),
  atLeast,
  perSecond: { till: middle('till', 'perSecond'), [peer]: middle(peer, 'perSecond') },
})

export const rows = [
  rowOf(
    'DBOS Transact',
    `times the sales of DBOS Transact, with ${middle('DBOS Transact', 'statements').toFixed(1)} statements each`,
    2.5,
  ),
  rowOf(
    'by hand',
    `times the sales of Express and pg by hand, with ${middle('by hand', 'statements').toFixed(1)} statements each`,
    0.5,
  ),
]
