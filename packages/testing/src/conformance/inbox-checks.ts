import type { Inbox, InboxClaim } from '@tillkit/protocol'
import { type ConformanceCheck, show } from './samples.js'

/** What a check works with. */
export interface InboxCheckContext {
  readonly inbox: Inbox
  /** Another inbox on the same store. */
  readonly another: Inbox
  /** Lets that many milliseconds pass on the store's clock. */
  readonly pass: (milliseconds: number) => Promise<void>
  readonly concurrency: number
  /** A key that no other check has; keys of its own begin with it. */
  readonly key: string
}

/** One sentence of the contract, and what is wrong where an inbox does not keep it. */
export type InboxCheck = ConformanceCheck<InboxCheckContext>

/** Long enough that no check outlasts it, and one that is over soon; in milliseconds. */
const long = { lease: 600_000 }
const short = { lease: 60 }
const afterShort = 90

/** A claim that has to be given. @throws where it is not. */
async function claimed(inbox: Inbox, key: string, options = long): Promise<InboxClaim> {
  const answer = await inbox.claim(key, options)
  if (answer.kind === 'claimed') return answer.claim
  throw new Error(`"claim" gave ${show(answer)}; expected a claim.`)
}

/** @returns What is wrong where a claim is not refused for that reason. */
async function refusal(inbox: Inbox, key: string, kind: 'held' | 'completed'): Promise<string | undefined> {
  const answer = await inbox.claim(key, long)
  if (answer.kind === kind) return undefined
  return `"claim" gave ${show(answer)}; expected ${show({ kind })}.`
}

async function claimsAtOnce({ inbox, another, concurrency, key }: InboxCheckContext): Promise<string | undefined> {
  const answers = await Promise.all(
    Array.from({ length: concurrency }, (_, index) => (index % 2 === 0 ? inbox : another).claim(key, long)),
  )
  const given = answers.filter(answer => answer.kind === 'claimed').length
  return given === 1 ? undefined : `${given} of ${concurrency} claims were given; expected 1.`
}

/** The contract of an inbox, one check for each sentence of it. */
export const inboxChecks: readonly InboxCheck[] = [
  {
    name: 'gives a claim of a key that was not put in',
    run: async ({ inbox, key }) => {
      const claim = await claimed(inbox, key)
      return claim.key === key && Number.isSafeInteger(claim.token) ? undefined : `"claim" gave ${show(claim)}.`
    },
  },
  {
    name: 'refuses a key that is held, in another process too',
    async run({ inbox, another, key }) {
      await claimed(inbox, key)
      return (await refusal(inbox, key, 'held')) ?? refusal(another, key, 'held')
    },
  },
  {
    name: 'refuses a key that was completed, for good',
    async run({ inbox, another, pass, key }) {
      await inbox.complete(await claimed(inbox, key, short))
      await pass(afterShort)
      return (await refusal(inbox, key, 'completed')) ?? refusal(another, key, 'completed')
    },
  },
  {
    name: 'keeps keys apart that differ in case or white space only',
    async run({ inbox, key }) {
      for (const each of [`${key}/a`, `${key}/A`, `${key}/a `]) await inbox.complete(await claimed(inbox, each))
      return undefined
    },
  },
  {
    name: 'gives one of many claims at once',
    run: claimsAtOnce,
  },
  {
    name: 'gives a claim again once it was released',
    async run({ inbox, another, key }) {
      await inbox.release(await claimed(inbox, key))
      await claimed(another, key)
      return undefined
    },
  },
  {
    name: 'gives a claim again once its lease is over',
    async run({ inbox, another, pass, key }) {
      await claimed(inbox, key, short)
      await pass(afterShort)
      await claimed(another, key)
      return undefined
    },
  },
  {
    name: 'gives one of many claims at once when a lease is over',
    async run(context) {
      await claimed(context.inbox, context.key, short)
      await context.pass(afterShort)
      return claimsAtOnce(context)
    },
  },
  {
    name: 'gives every claim of a key a higher token than the one before',
    async run({ inbox, another, pass, key }) {
      const first = await claimed(inbox, key, short)
      await pass(afterShort)
      const second = await claimed(another, key)
      await another.release(second)
      const third = await claimed(inbox, key)
      const tokens = [first, second, third].map(({ token }) => token)
      return tokens.every((token, index) => index === 0 || token > (tokens[index - 1] ?? 0))
        ? undefined
        : `The tokens were ${tokens.join(', ')}; each must be above the one before.`
    },
  },
  {
    name: 'completes a claim, and says the same when that is repeated',
    async run({ inbox, another, key }) {
      const claim = await claimed(inbox, key)
      const answers = [await inbox.complete(claim), await inbox.complete(claim), await another.complete(claim)]
      return answers.every(answer => answer === true) ? undefined : `"complete" gave ${show(answers)}; expected true.`
    },
  },
  {
    name: 'completes a claim whose lease is over, as long as no other claim of the key was given',
    async run({ inbox, pass, key }) {
      const claim = await claimed(inbox, key, short)
      await pass(afterShort)
      if ((await inbox.complete(claim)) !== true) return '"complete" gave false; expected true.'
      return refusal(inbox, key, 'completed')
    },
  },
  {
    name: 'does not let a claim complete a key that another one holds since',
    async run({ inbox, another, pass, key }) {
      const late = await claimed(inbox, key, short)
      await pass(afterShort)
      const holder = await claimed(another, key)
      if ((await inbox.complete(late)) !== false) return '"complete" of the earlier claim gave true; expected false.'
      const held = await refusal(inbox, key, 'held')
      if (held !== undefined) return held
      return (await another.complete(holder)) === true ? undefined : '"complete" of the later claim gave false.'
    },
  },
  {
    name: 'does not let a claim release a key that another one holds since',
    async run({ inbox, another, pass, key }) {
      const late = await claimed(inbox, key, short)
      await pass(afterShort)
      await claimed(another, key)
      await inbox.release(late)
      return refusal(inbox, key, 'held')
    },
  },
  {
    name: 'does not open a completed key again when its claim is released',
    async run({ inbox, key }) {
      const claim = await claimed(inbox, key)
      await inbox.complete(claim)
      await inbox.release(claim)
      return refusal(inbox, key, 'completed')
    },
  },
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
