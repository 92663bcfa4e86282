import type { Inbox } from '@tillkit/protocol'
import { createFakeClock, inboxChecks, inboxConformance } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { type MemoryInboxOptions, memoryInbox } from './memory-inbox.js'

/** An inbox on a clock that stands still, with one method replaced. */
function onClock(replace: (inbox: Inbox) => Partial<Inbox> = () => ({})) {
  const clock = createFakeClock({ base: () => 1_767_605_400_000 })
  const inbox = memoryInbox({ clock: clock.now })
  return { inbox: { ...inbox, ...replace(inbox) }, pass: clock.advance }
}

/** Names of the checks that an inbox fails. */
async function failed(replace: (inbox: Inbox) => Partial<Inbox>) {
  const { inbox, pass } = onClock(replace)
  return (await inboxConformance(inbox, { pass })).map(problem => problem.split(':')[0])
}

describe('memoryInbox', () => {
  it('does what every inbox must do', async () => {
    const { inbox, pass } = onClock()
    expect(await inboxConformance(inbox, { pass })).toEqual([])
    expect(inboxChecks.length).toBeGreaterThan(20)
  })

  it('does so on a store that was checked before', async () => {
    const { inbox, pass } = onClock()
    await inboxConformance(inbox, { pass })
    expect(await inboxConformance(inbox, { pass })).toEqual([])
  })

  it('says that it forgets when the process stops', () => {
    expect(memoryInbox().durable).toBe(false)
  })

  it('forgets what was completed first once it remembers enough', async () => {
    const inbox = memoryInbox({ keep: 2 })
    for (const key of ['a', 'b', 'c']) {
      const claiming = await inbox.claim(key, { lease: 1000 })
      if (claiming.kind === 'claimed') await inbox.complete(claiming.claim)
    }
    const again = await Promise.all(['c', 'b', 'a'].map(key => inbox.claim(key, { lease: 1000 })))
    expect(again.map(({ kind }) => kind)).toEqual(['completed', 'completed', 'claimed'])
  })

  it('does not forget what is still to be done', async () => {
    const inbox = memoryInbox({ keep: 1 })
    await inbox.put({ key: 'waits', payload: {} })
    for (const key of ['a', 'b', 'c']) {
      const claiming = await inbox.claim(key, { lease: 1000 })
      if (claiming.kind === 'claimed') await inbox.complete(claiming.claim)
    }
    expect(await inbox.waiting({ limit: 9 })).toEqual([{ key: 'waits', payload: {} }])
  })

  it.each([
    ['"keep"', { keep: 0 }],
    ['"clock"', { clock: 5 }],
    ['"size"', { size: 5 }],
  ])('names %s when it is wrong', (name, options) => {
    expect(() => memoryInbox(options as MemoryInboxOptions)).toThrow(name)
  })
})

describe('inboxConformance', () => {
  it('finds that two processes do not know of each other', async () => {
    const { inbox, pass } = onClock()
    const problems = await inboxConformance(inbox, { another: memoryInbox(), pass })
    expect(problems.some(problem => problem.startsWith('gives one of many claims at once'))).toBe(true)
  })

  it('finds an inbox that reads before it writes', async () => {
    const readsFirst = (inbox: Inbox): Partial<Inbox> => {
      const held = new Set<string>()
      return {
        async claim(key, options) {
          const isFree = !held.has(key)
          await Promise.resolve()
          if (!isFree) return inbox.claim(key, options)
          held.add(key)
          return { kind: 'claimed', claim: { key, token: 1 } }
        },
      }
    }
    expect(await failed(readsFirst)).toContain('gives one of many claims at once')
  })

  it.each<[string, string, (inbox: Inbox) => Partial<Inbox>]>([
    [
      'never ends a lease',
      'gives a claim again once its lease is over',
      inbox => ({ claim: key => inbox.claim(key, { lease: 1e9 }) }),
    ],
    [
      'lets anybody complete',
      'does not let a claim complete a key that another one holds since',
      inbox => ({
        complete: async claim => {
          await inbox.complete(claim)
          return true
        },
      }),
    ],
    [
      'forgets what was completed',
      'refuses a key that was completed, for good',
      inbox => ({
        complete: async claim => {
          await inbox.release(claim)
          return true
        },
      }),
    ],
    [
      'never gives a claim back',
      'gives a claim again once it was released',
      () => ({ release: async () => undefined }),
    ],
    [
      'takes no notice of a delay',
      'lists what was released with a delay only after it, and lets it be claimed at once',
      inbox => ({ release: claim => inbox.release(claim) }),
    ],
    [
      'lists nothing',
      'lists what was put in until it is completed, in another process too',
      () => ({ waiting: async () => [] }),
    ],
    [
      'takes no notice of the limit',
      'lists the oldest first and no more than asked for',
      inbox => ({ waiting: () => inbox.waiting({ limit: 1e6 }) }),
    ],
    [
      'drops what is put in while a key is worked on',
      'keeps open what was put in while the key was worked on',
      inbox => {
        const held = new Set<string>()
        return {
          async claim(key, options) {
            held.add(key)
            return inbox.claim(key, options)
          },
          put: async entry => (held.has(entry.key) ? undefined : inbox.put(entry)),
        }
      },
    ],
  ])('finds an inbox that %s', async (_wrong, check, replace) => {
    expect(await failed(replace)).toContain(check)
  })

  it('says what failed where an inbox throws', async () => {
    const problems = await failed(() => ({ claim: () => Promise.reject(new Error('no such table')) }))
    expect(problems.length).toBeGreaterThan(10)
  })
})
