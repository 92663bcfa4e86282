/** The till beside the limit on one engine, as rows of a table. */
import { startDatabases } from './databases.js'
import { sideBySide } from './side-by-side.js'

const callers = 32

/**
 * @param engine `memory`, `sqlite` or `postgres`.
 * @param atMost How many times the CPU time of the limit the till may take.
 */
export async function limitRows(engine, { name, atMost }) {
  const databases = engine === 'postgres' ? await startDatabases() : undefined
  const optionsOf = async more => ({ engine, ...more, url: await databases?.next() })
  const ways = engine === 'memory' ? ['one by one'] : ['one by one', 'batched']
  const merchants = { till: { program: 'till', options: await optionsOf({}) } }
  for (const way of ways) {
    merchants[way] = { program: 'limit', options: await optionsOf({ isBatched: way === 'batched' }) }
  }
  const { middle, ratio } = await sideBySide(merchants, { callers })
  await databases?.stop()
  // The lower limit is the one that counts.
  const [lowest] = ways.toSorted((a, b) => middle(a, 'cpu') - middle(b, 'cpu'))
  const figures = way =>
    `${middle(way, 'statements').toFixed(1)} ${engine === 'memory' ? 'writes' : 'statements'} and ${middle(way, 'requests').toFixed(1)} requests`
  return [
    {
      name: `Hosted sale from pay to told, ${callers} at a time, ${name}`,
      against: `times the CPU time of the limit, ${lowest}, with ${figures(lowest)}`,
      ratio: ratio('till', lowest, 'cpu'),
      atMost,
      microseconds: Object.fromEntries(['till', ...ways].map(each => [each, middle(each, 'cpu')])),
    },
    ...ways
      .filter(way => way !== lowest)
      .map(way => ({
        name: `Hosted sale from pay to told, ${callers} at a time, ${name}`,
        against: `times the CPU time of the limit, ${way}, with ${figures(way)}`,
        ratio: ratio('till', way, 'cpu'),
      })),
  ]
}
