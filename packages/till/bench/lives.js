/** Lives of an attempt: each is two durable writes of one document, its reservation and its end. */

/** JSON of 1.5 kB. */
const body = JSON.stringify({ attempt: 'x'.repeat(1_486) })
let callersSoFar = 0

/**
 * Lets callers write lives, one after the other each, for a while.
 *
 * @returns Lives a second.
 */
export async function livesPerSecond(store, { callers, milliseconds }) {
  let lives = 0
  const start = performance.now()
  const live = async () => {
    const caller = ++callersSoFar
    for (let life = 0; performance.now() - start < milliseconds; life++) {
      const key = `bench/${caller}/${life}`
      for (const [id, after] of [[`${key}/1`], [`${key}/2`, `${key}/1`]]) {
        const { kind } = await store.write(key, { body, due: 1_800_000_000_000, list: null }, { after, id })
        if (kind !== 'written') throw new Error(`The write ${id} ended as ${kind}.`)
      }
      lives += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, live))
  return (lives * 1000) / (performance.now() - start)
}
