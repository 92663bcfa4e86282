/** SQL statements of a hosted sale of the till on PostgreSQL, the merchant's own two among them. */
import { startDatabases } from '../databases.js'
import { sideBySide } from '../side-by-side.js'

export const rows = []

for (const [callers, atMost] of [
  [32, 7],
  [1, 9],
]) {
  const databases = await startDatabases()
  const till = { program: 'till', options: { engine: 'postgres', url: await databases.next() } }
  const { middle } = await sideBySide(
    { till },
    { callers, rounds: 5, warmUp: { rounds: 1, most: 500, milliseconds: 5_000 } },
  )
  await databases.stop()
  rows.push({
    name: `Hosted sale from pay to told, ${callers === 1 ? 'one' : callers} at a time, PostgreSQL`,
    against: "messages with SQL, the merchant's own two among them",
    ratio: middle('till', 'statements'),
    atMost,
  })
}
