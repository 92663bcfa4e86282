/** Lives of an attempt a second, writes coalesced against one by one, at several numbers of callers. */
import { median } from '../../../../bench/median.js'
import { engines } from '../engines.js'
import { livesPerSecond } from '../lives.js'

const numbersOfCallers = [1, 64, 256]
const rounds = 15
const milliseconds = 400

export const rows = []

for (const { name, atLeast, open } of engines) {
  const { coalesced, single, close } = await open()
  const stores = Object.entries({ coalesced, 'one by one': single })
  for (const callers of numbersOfCallers) {
    const perSecond = { coalesced: [], 'one by one': [] }
    // The first round is for the compiler and the caches. Each round starts with the other store.
    for (let round = -1; round < rounds; round++) {
      for (const [kind, store] of round % 2 === 0 ? stores : stores.toReversed()) {
        const lives = await livesPerSecond(store, { callers, milliseconds })
        if (round >= 0) perSecond[kind].push(lives)
      }
    }
    rows.push({
      name: `${name}, ${callers} ${callers === 1 ? 'caller' : 'callers'}`,
      against: 'times the lives of an attempt with each write in a commit of its own',
      ratio: median(perSecond.coalesced.map((lives, round) => lives / perSecond['one by one'][round])),
      ...(atLeast[callers] !== undefined && { atLeast: atLeast[callers] }),
      perSecond: { coalesced: median(perSecond.coalesced), 'one by one': median(perSecond['one by one']) },
    })
  }
  await close()
}
