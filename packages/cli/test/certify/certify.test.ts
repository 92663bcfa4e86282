import { readFile } from 'node:fs/promises'
import { createClient } from '@tillkit/client'
import { createFakeGateway, type FakeGateway, testCard, testControlKey } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { casesFor, plainCases } from '../../src/certify/cases.js'
import {
  type CertifyOptions,
  certify,
  describeCertification,
  type FindingKind,
  findingKinds,
  type MerchantUnderTest,
} from '../../src/index.js'
import { type Habits, handWritten } from './hand-written-merchant.js'
import { serveMerchant } from './served-merchant.js'

/** So that a run takes no longer than it must: traffic on loopback comes sooner. No time passes but what a case lets pass. */
const quick = { quiet: 5, patience: 500, clock: () => Date.UTC(2026, 0, 5, 9, 30) }

const kindsOf = (findings: readonly { readonly kind: FindingKind }[]) => [...new Set(findings.map(({ kind }) => kind))]

/** Few cases, so that each can wait longer: a merchant on a busy machine does the next thing late. */
const tryOut = (habits: Habits, ...only: readonly string[]) =>
  certify(gateway => handWritten(gateway, habits), { ...quick, quiet: 30, only })

/** A careful merchant with some of its doors changed. */
const changed =
  (change: (merchant: MerchantUnderTest, gateway: FakeGateway) => Partial<MerchantUnderTest>) =>
  async (gateway: FakeGateway): Promise<MerchantUnderTest> => {
    const merchant = await handWritten(gateway)
    return { ...merchant, ...change(merchant, gateway) }
  }

/** What a merchant does wrong, the case that shows it, and what is found. */
const mistakes: readonly (readonly [what: string, habits: Habits, name: string, kinds: readonly FindingKind[]])[] = [
  [
    'sends a payment again when its answer does not come',
    { withoutAnswer: 'sends again' },
    'commit-then-timeout, approved',
    ['charged-twice'],
  ],
  [
    'sends a payment again under the same id, which makes a second order',
    { withoutAnswer: 'sends the same again' },
    'commit-then-drop, approved',
    ['charged-twice'],
  ],
  [
    'takes the refusal of a used id for an answer about the first request',
    { withoutAnswer: 'sends the same again' },
    'commit-then-drop, used id refused',
    // Told that it failed, the customer paid again; the callback about the first changed nothing.
    ['charged-twice', 'money-without-paid', 'lost-callback'],
  ],
  ['believes a callback unverified', { withCallback: 'believes it' }, 'forged callback', ['paid-without-money']],
  [
    'calls an order failed on an error',
    { withoutAnswer: 'fails the order' },
    'commit-then-drop, callback-never',
    // The customer was told that it failed, and paid again.
    ['charged-twice', 'money-without-paid'],
  ],
  [
    'opens another order when the button is pressed again',
    { whenPressedAgain: 'opens another order' },
    'pressed twice, approved',
    ['charged-twice'],
  ],
  [
    'never asks about what it got no answer to',
    { withoutAnswer: 'never asks', polls: false },
    'half-answer, callback-never',
    ['left-unknown'],
  ],
]

describe('certify', () => {
  it.each(mistakes)('fails a merchant that %s', async (_what, habits, name, kinds) => {
    const { passed, findings, cases, seed } = await tryOut(habits, name)
    expect({ passed, kinds: kindsOf(findings) }).toEqual({ passed: false, kinds })
    expect(cases.map(each => each.name)).toEqual([name])
    expect(findings[0]).toMatchObject({ case: name, seed })
    expect(findings[0]?.history[0]).toMatch(/^\+[\d.]+ m?s +sale order-1 → /)
  })

  it('finds nothing in the same cases where a merchant is careful', async () => {
    const names = new Set(mistakes.map(([, , name]) => name))
    const { findings, cases } = await tryOut({}, ...names)
    expect([findings, cases.length]).toEqual([[], names.size])
  })

  it('finds money at an order that only the first try had, where the customer is not asked to try again', async () => {
    const merchant = changed(({ startPayment }) => ({
      startPayment: async payment => {
        if (typeof startPayment === 'function') void startPayment(payment).catch(() => undefined)
        return { order: 'order-1' }
      },
      isPaid: () => false,
    }))
    const { findings } = await certify(merchant, { ...quick, only: ['approved'] })
    expect(kindsOf(findings)).toEqual(['money-without-paid', 'lost-callback'])
  })

  it('goes no further than the cases in which nothing is wrong, if those fail', async () => {
    const report = await certify(gateway => handWritten(gateway, { whenAccepted: 'calls it paid' }), quick)
    expect(report.cases.map(({ name }) => name)).toEqual(['approved', 'declined'])
    expect(report.findings[0]).toMatchObject({ kind: 'paid-without-money', case: 'approved' })
    expect(report.stopped).toContain('mend this first')
    expect(describeCertification(report)).toContain('mend this first')
  })

  it('blames no merchant for a customer who was rightly told "declined", paid again, and had the first corrected', async () => {
    const merchant = changed(({ startPayment }, { clock }) => ({
      startPayment: async payment => {
        const started = typeof startPayment === 'function' ? await startPayment(payment) : {}
        // Its callback comes meanwhile, so the customer hears the outcome at once.
        await clock.wait(7_000)
        return started
      },
    }))
    const { findings, cases } = await certify(merchant, { ...quick, only: ['corrected-later, declined'] })
    expect(findings).toEqual([])
    expect(cases[0]?.orders.map(({ stages }) => stages.at(-1)?.status)).toEqual(['approved', 'declined', 'declined'])
  })

  it('pays on each form that two presses lead to', async () => {
    const forms = async (gateway: FakeGateway): Promise<MerchantUnderTest> => {
      const client = createClient(gateway.clientOptions)
      let opened = 0
      return {
        async startPayment({ purchase: _, card: _card, callbackUrl: _url, ...payment }) {
          opened += 1
          const order = `order-${opened}`
          const back = { redirectUrl: 'https://shop.example/back' }
          const { redirectUrl } = await client.saleForm({ clientOrderId: order, ...payment, ...back })
          return { order, redirectUrl }
        },
        isPaid: async order =>
          (await client.status({ clientOrderId: order })).status === 'approved' ? 'paid' : 'open',
        close: () => client.close(),
      }
    }
    const { findings, cases } = await certify(forms, { ...quick, only: ['pressed twice, approved'] })
    expect([...new Set(findings.map(({ kind }) => kind))]).toEqual(['charged-twice'])
    expect(cases[0]?.orders.map(({ stages }) => stages.at(-1)?.status)).toEqual(['approved', 'approved'])
  })

  it('lets a callback handler wait for the clock', async () => {
    const merchant = changed(({ receiveCallback }, { clock }) => ({
      receiveCallback: async callback => {
        await clock.wait(7_000)
        return typeof receiveCallback === 'function' ? receiveCallback(callback) : 500
      },
    }))
    expect(await certify(merchant, { ...quick, only: ['approved', 'callback-twice, approved'] })).toMatchObject({
      passed: true,
    })
  })

  it('has a merchant do what is due before the clock moves on', async () => {
    const only = ['half-answer, callback-never']
    const byJob = await certify(gateway => handWritten(gateway, { polls: 'by a job' }), { ...quick, only })
    expect(byJob.findings).toEqual([])
    const idle = async (gateway: FakeGateway) => {
      const { work: _, ...merchant } = await handWritten(gateway, { polls: 'by a job' })
      return merchant
    }
    expect(kindsOf((await certify(idle, { ...quick, only })).findings)).toEqual(['left-unknown'])
  })
})

const never = () => new Promise<never>(() => undefined)

describe('a merchant that breaks', () => {
  it.each<[string, FindingKind, (gateway: FakeGateway) => MerchantUnderTest | Promise<MerchantUnderTest>]>([
    ['never comes up', 'hung', never],
    ['does not come up', 'failed', () => Promise.reject(new Error('no database'))],
    ['never answers a payment', 'hung', changed(() => ({ startPayment: never }))],
    ['never says what is paid', 'hung', changed(() => ({ isPaid: never }))],
    [
      'sends the customer to what is no address',
      'failed',
      changed(() => ({ startPayment: () => Promise.resolve({ order: 'o-1', redirectUrl: '/pay' }) })),
    ],
    [
      'throws where nothing is wrong',
      'failed',
      changed(() => ({ startPayment: () => Promise.reject(new Error('oops')) })),
    ],
    [
      'lets a promise reject unheard',
      'failed',
      changed(({ startPayment }) => ({
        startPayment: payment => {
          void Promise.reject(new Error(`crash with ${testControlKey} and ${testCard}`))
          return typeof startPayment === 'function' ? startPayment(payment) : never()
        },
      })),
    ],
  ])('%s: a finding', async (_what, kind, merchant) => {
    const before = process.rawListeners('unhandledRejection')
    const patience = kind === 'hung' ? 50 : quick.patience
    const { findings } = await certify(merchant, { ...quick, patience, only: ['approved'] })
    expect(kindsOf(findings)).toContain(kind)
    expect(process.rawListeners('unhandledRejection')).toEqual(before)
    for (const secret of [testControlKey, testCard]) expect(JSON.stringify(findings)).not.toContain(secret)
  })

  it('is given up when it hung in three cases', async () => {
    const merchant = changed(({ startPayment }, gateway) => ({
      startPayment: payment => {
        if (gateway.faults.armed().length > 0 || typeof startPayment !== 'function') return never()
        return startPayment(payment)
      },
    }))
    const report = await certify(merchant, { ...quick, patience: 50 })
    expect(report.cases).toHaveLength(5)
    expect(report.stopped).toContain('hung or failed in 3 cases')
  })
})

describe('a merchant that is reached by addresses', () => {
  const run = async (
    habits: Habits,
    only: readonly string[],
    onStart = (_close: () => Promise<void>): void => undefined,
  ) => {
    const gateway = createFakeGateway({ processingTime: 2_000 })
    const { doors, close } = await serveMerchant(await handWritten(gateway, habits))
    const closeOnce = () => close().catch(() => undefined)
    try {
      return await certify(doors, { ...quick, grace: 100, gateway, only, onCase: () => onStart(closeOnce) })
    } finally {
      await closeOnce()
      await gateway.close()
    }
  }

  it('passes when it is careful, case after case on one gateway', async () => {
    const names = ['approved', 'declined', 'commit-then-drop, approved', 'forged callback', 'callback-twice, declined']
    const { findings, cases } = await run({}, names)
    expect(findings).toEqual([])
    // A customer who is told "not paid" at once pays again, and how fast that is told is the machine's affair: one word for all tries.
    expect(cases.map(({ name, answers }) => [name, ...new Set(Object.values(answers))])).toEqual([
      ['approved', 'paid'],
      ['declined', 'not-paid'],
      ['commit-then-drop, approved', 'paid'],
      ['callback-twice, declined', 'not-paid'],
      ['forged callback', 'not-paid'],
    ])
    expect(cases.every(({ applied }) => applied)).toBe(true)
  })

  it.each([
    ['asks whenever it is looked at, and passes', 'it', []],
    ['asks about another order, and is found', 'another', ['left-unknown']],
    ['never asks, and is found', 'nothing', ['left-unknown']],
  ])('may say "open" of an order that the gateway never had: %s', async (_what, asks, kinds) => {
    const gateway = createFakeGateway({ processingTime: 2_000 })
    const client = createClient({ ...gateway.clientOptions, retries: 0 })
    const merchant = await handWritten(gateway, { polls: 'by a job', withoutAnswer: 'never asks' })
    const { doors, close } = await serveMerchant({
      ...merchant,
      isPaid: async order => {
        if (asks === 'it') await merchant.work?.()
        if (asks === 'another') await client.status({ clientOrderId: 'another' }).catch(() => undefined)
        return typeof merchant.isPaid === 'function' ? merchant.isPaid(order) : false
      },
    })
    try {
      const { findings, cases } = await certify(doors, { ...quick, grace: 50, gateway, only: ['drop, approved'] })
      expect([kindsOf(findings), cases.map(({ answers }) => answers)]).toEqual([kinds, [{ 'order-3': 'open' }]])
    } finally {
      await close()
      await gateway.close()
    }
  })

  it('fails when it is not', async () => {
    const { findings } = await run({ withCallback: 'believes it' }, ['approved', 'forged callback'])
    expect(findings).toMatchObject([{ kind: 'paid-without-money', case: 'forged callback' }])
  })

  it('is found to have crashed when nothing answers any more', async () => {
    const names = ['approved', 'declined', 'callback-late, approved']
    const { findings } = await run({}, names, close => void close())
    expect(kindsOf(findings)).toEqual(['failed'])
    expect(findings[0]?.explanation).toContain('Nothing answered at http://127.0.0.1:')
  })
})

it('docs/certify.md lists every kind of finding with the words of the table', async () => {
  const page = await readFile(new URL('../../../../docs/certify.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([^|]+) \| [^|]*\|$/gm)].map(([, kind, means]) => [kind, means])
  expect(rows).toEqual(Object.entries(findingKinds))
})

it('docs/certify.md lists the name of every case', async () => {
  const page = await readFile(new URL('../../../../docs/certify.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('| Begins with | Ends with |')
  const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
  const names = [...table.matchAll(/^\|([^|]*`[^|]*)\|([^|]*)\|$/gm)].flatMap(([, begins, ends]) =>
    quoted(begins).flatMap(name => (ends?.trim() === '' ? [name] : quoted(ends).map(end => `${name}${end}`))),
  )
  const cases = [...plainCases, ...casesFor(['sale'])].map(({ name }) => name)
  expect(names.toSorted()).toEqual(cases.toSorted())
})

describe('the options of certify', () => {
  const doors: MerchantUnderTest = { startPayment: 'http://127.0.0.1:1/pay', isPaid: 'http://127.0.0.1:1/paid' }
  const gateway = createFakeGateway()

  it.each<[string, MerchantUnderTest, CertifyOptions, string]>([
    [
      'a misspelt name',
      doors,
      { gateway, ony: ['approved'] } as never,
      'certify has no option "ony". Did you mean "only"?',
    ],
    ['a time of no length', doors, { gateway, quiet: 0 }, '"quiet" is 0; it must be a whole number of milliseconds'],
    ['a running merchant without its gateway', doors, {}, 'needs the option "gateway"'],
    [
      'an address elsewhere',
      { ...doors, startPayment: 'https://shop.example/pay' },
      { gateway },
      'leads to shop.example',
    ],
    ['what is no address', { ...doors, isPaid: 'paid?' }, { gateway }, '"isPaid" is "paid?", which is no address'],
  ])('refuse %s', async (_what, merchant, options, message) => {
    await expect(certify(merchant, options)).rejects.toThrow(message)
  })

  it('refuse an unknown case, and name those there are', async () => {
    await expect(tryOut({}, 'commit-then-drop')).rejects.toThrow('"commit-then-drop, approved"')
  })
})
