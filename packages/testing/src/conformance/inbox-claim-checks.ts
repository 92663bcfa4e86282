/**
 * The contract of an inbox about claims: one holder at a time, and who may complete what.
 *
 * @module
 */
import { afterShort, claimed, type InboxCheck, long, refusal, short } from './inbox-check.js'
import { show } from './reservation-problems.js'

/** One check for each sentence. */
export const inboxClaimChecks: readonly InboxCheck[] = [
  {
    name: 'gives a claim of a key that nobody put in',
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
    async run({ inbox, another, concurrency, key }) {
      const answers = await Promise.all(
        Array.from({ length: concurrency }, (_, index) => (index % 2 === 0 ? inbox : another).claim(key, long)),
      )
      const given = answers.filter(answer => answer.claimed).length
      return given === 1 ? undefined : `${given} of ${concurrency} claims were given; expected 1.`
    },
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
    async run({ inbox, another, pass, concurrency, key }) {
      await claimed(inbox, key, short)
      await pass(afterShort)
      const answers = await Promise.all(
        Array.from({ length: concurrency }, (_, index) => (index % 2 === 0 ? inbox : another).claim(key, long)),
      )
      const given = answers.filter(answer => answer.claimed).length
      return given === 1 ? undefined : `${given} of ${concurrency} claims were given; expected 1.`
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
    name: 'completes a claim whose lease is over, as long as nobody else has claimed the key',
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
]
