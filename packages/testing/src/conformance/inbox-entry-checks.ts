/**
 * The contract of an inbox about entries: what was put in is listed until it was worked on.
 *
 * @module
 */
import type { Inbox } from '@tillkit/protocol'
import { afterShort, claimed, type InboxCheck, refusal, short } from './inbox-check.js'
import { show } from './reservation-problems.js'

/** One check for each sentence. */
export const inboxEntryChecks: readonly InboxCheck[] = [
  {
    name: 'lists what was put in until it is completed, in another process too',
    async run({ inbox, another, key }) {
      const entry = { key, payload: { clientOrderId: 'o-1', orderId: '77' } }
      await inbox.put(entry)
      const listed = (await listedUnder(another, key))[0]
      if (listed?.payload.clientOrderId !== 'o-1' || listed.payload.orderId !== '77') {
        return `"waiting" listed ${show(listed)}; expected ${show(entry)}.`
      }
      await another.complete(await claimed(another, key))
      return notListed(inbox, key)
    },
  },
  {
    name: 'lists no key that was only claimed',
    async run({ inbox, key }) {
      await inbox.release(await claimed(inbox, key))
      return notListed(inbox, key)
    },
  },
  {
    name: 'lists nothing that is held, and lists it again once the lease is over',
    async run({ inbox, another, pass, key }) {
      await inbox.put({ key, payload: {} })
      await claimed(inbox, key, short)
      const early = await notListed(another, key)
      if (early !== undefined) return early
      await pass(afterShort)
      return (await listedUnder(another, key)).length === 1 ? undefined : '"waiting" did not list it again.'
    },
  },
  {
    name: 'lists what was released with a delay only after it, and lets it be claimed at once',
    async run({ inbox, another, pass, key }) {
      await inbox.put({ key, payload: {} })
      await inbox.release(await claimed(inbox, key), { delay: short.lease })
      const early = await notListed(another, key)
      if (early !== undefined) return early
      await another.release(await claimed(another, key), { delay: short.lease })
      await pass(afterShort)
      return (await listedUnder(inbox, key)).length === 1 ? undefined : '"waiting" did not list it after the delay.'
    },
  },
  {
    name: 'keeps one entry of a key, with the later payload',
    async run({ inbox, another, key }) {
      await inbox.put({ key, payload: { time: '1' } })
      await another.put({ key, payload: { time: '2' } })
      const listed = await listedUnder(inbox, key)
      return listed.length === 1 && listed[0]?.payload.time === '2' ? undefined : `"waiting" listed ${show(listed)}.`
    },
  },
  {
    name: 'opens a completed key again when something is put in',
    async run({ inbox, another, key }) {
      await inbox.put({ key, payload: {} })
      await inbox.complete(await claimed(inbox, key))
      await another.put({ key, payload: {} })
      if ((await listedUnder(inbox, key)).length !== 1) return '"waiting" did not list it again.'
      await claimed(inbox, key)
      return undefined
    },
  },
  {
    name: 'keeps open what was put in while the key was worked on',
    async run({ inbox, another, key }) {
      await inbox.put({ key, payload: { time: '1' } })
      const claim = await claimed(inbox, key)
      await another.put({ key, payload: { time: '2' } })
      const held = await refusal(another, key, 'held')
      if (held !== undefined) return held
      if ((await inbox.complete(claim)) !== true) return '"complete" gave false; expected true.'
      const listed = await listedUnder(another, key)
      return listed.length === 1 && listed[0]?.payload.time === '2' ? undefined : `"waiting" listed ${show(listed)}.`
    },
  },
  {
    name: 'lists the oldest first and no more than asked for',
    async run({ inbox, key }) {
      for (const name of ['b', 'a', 'c']) await inbox.put({ key: `${key}/${name}`, payload: {} })
      const names = (await listedUnder(inbox, `${key}/`)).map(entry => entry.key.slice(key.length + 1))
      if (names.join() !== 'b,a,c') return `"waiting" listed ${names.join()}; expected b,a,c.`
      const { length } = await inbox.waiting({ limit: 2 })
      return length === 2 ? undefined : `"waiting" listed ${length} entries where at most 2 were asked for.`
    },
  },
]

const listedUnder = async (inbox: Inbox, prefix: string) =>
  (await inbox.waiting({ limit: 1_000_000 })).filter(({ key }) => key.startsWith(prefix))

const notListed = async (inbox: Inbox, prefix: string): Promise<string | undefined> =>
  (await listedUnder(inbox, prefix)).length === 0 ? undefined : '"waiting" listed it; expected that it does not.'
