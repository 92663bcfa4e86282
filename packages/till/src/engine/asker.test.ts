import { defaultProfile, type StatusResponse } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import type { Question } from '../rules/answer.js'
import { memoryStore } from '../store/memory-store.js'
import { createAsker, type QuestionOptions } from './asker.js'

const place = { name: 'merchant', environment: 'test' } as const
const question = { login: 'merchant', clientOrderId: 'basket-7', endpointId: '39' }
const refused = { kind: 'refused', error: { code: 'ERR_REQUEST_REFUSED', errorCode: '404', received: {} } }
const reply = { status: 'approved', clientOrderId: 'basket-7', orderId: '77', raw: {} } as StatusResponse

/** An asker whose gateway answers with `sent`, and whose clock is set. */
function openAsker(
  sent: object,
  { word = '404' as string | null, store = memoryStore() as Pick<ReturnType<typeof memoryStore>, 'read'> } = {},
) {
  const clock = { now: 0 }
  const profile = { ...defaultProfile, orderNeverSeen: { ...defaultProfile.orderNeverSeen, value: word ?? undefined } }
  const ask = createAsker({
    client: { baseUrl: 'https://gate.example', prepare: () => ({ send: async () => sent }) } as never,
    engine: { store: store as ReturnType<typeof memoryStore>, place },
    profile,
    clocks: { system: () => clock.now, monotonic: () => clock.now },
    wait: async () => {},
    mayAsk: async () => 0,
  })
  return { clock, ask: () => ask(question, () => ({ earliest: clock.now, latest: clock.now + 5 })) }
}

describe('an asker', () => {
  it('says what status said, when it was asked at the earliest, and when it answered at the latest', async () => {
    const { ask } = openAsker({ kind: 'answered', reply })
    expect(await ask()).toEqual({ kind: 'reply', reply, question, askedAt: 0, answeredAt: 5 })
  })

  it('takes only the gateway’s word for an order that it has never seen', async () => {
    expect(await openAsker(refused).ask()).toMatchObject({ kind: 'never-seen', baseUrl: 'https://gate.example' })
    expect(await openAsker(refused, { word: '405' }).ask()).toMatchObject({ kind: 'refused' })
    expect(await openAsker(refused, { word: null }).ask()).toMatchObject({ kind: 'refused' })
    const named = { ...refused, error: { ...refused.error, orderId: '77' } }
    expect(await openAsker(named).ask()).toMatchObject({ kind: 'refused' })
    const silent = { kind: 'no-answer', error: { code: 'ERR_TRANSPORT' } }
    expect(await openAsker(silent).ask()).toMatchObject({ kind: 'no-answer' })
  })

  it('does not wait for a store that hangs to know that word', async () => {
    const store = { read: () => new Promise<never>(() => {}) }
    expect(await openAsker(refused, { word: null, store }).ask()).toMatchObject({ kind: 'refused' })
  })

  it('takes a refusal for a word that nobody knows only where the store says that nobody does', async () => {
    expect(await openAsker(refused, { word: null }).ask()).toMatchObject({ kind: 'refused', mayBeAbsence: true })
    const failing = { read: () => Promise.reject(new Error('the store is down')) }
    const hanging = { read: () => new Promise<never>(() => {}) }
    for (const store of [failing, hanging])
      expect(await openAsker(refused, { word: null, store }).ask()).toMatchObject({
        kind: 'refused',
        mayBeAbsence: false,
      })
  })

  it('remembers when it heard the first answer of absence, however many follow', async () => {
    const { clock, ask } = openAsker(refused)
    await ask()
    for (let count = 0; count < 50; count += 1) {
      clock.now += 2_000
      await ask()
    }
    clock.now = 299_999
    const last = await ask()
    expect(last).toMatchObject({ kind: 'never-seen' })
    expect(last.kind === 'never-seen' ? last.before[0] : undefined).toEqual({ answeredAt: 5, ago: 299_999 })
  })

  it('forgets one only once its pause was long enough', async () => {
    const { clock, ask } = openAsker(refused)
    await ask()
    clock.now = 700_000
    await ask()
    expect(await ask()).toMatchObject({ before: [{ answeredAt: 700_005, ago: 0 }] })
  })
})

/** An asker whose gateway answers when a test says so. */
function heldAsker({ mayAsk = async (): Promise<number | undefined> => 0 } = {}) {
  const clock = { now: 0 }
  const answers: ((sent: object) => void)[] = []
  const pauses: (() => void)[] = []
  const profile = { ...defaultProfile, orderNeverSeen: { ...defaultProfile.orderNeverSeen, value: '404' } }
  const send = () =>
    new Promise(resolve => {
      answers.push(resolve)
    })
  const ask = createAsker({
    client: { baseUrl: 'https://gate.example', prepare: () => ({ timeout: 30_000, send }) } as never,
    engine: { store: memoryStore(), place },
    profile,
    clocks: { system: () => clock.now, monotonic: () => clock.now },
    wait: () => new Promise(resolve => pauses.push(resolve)),
    mayAsk,
  })
  const askNow = (about: Question = question, options?: QuestionOptions) =>
    ask(about, () => ({ earliest: clock.now, latest: clock.now + 5 }), options)
  return {
    clock,
    ask: askNow,
    /** Two equal questions, of which the first has begun before the second is asked. */
    async two() {
      const first = askNow()
      await settled()
      const second = askNow()
      await settled()
      return [first, second] as const
    },
    /** How many questions have begun. */
    begun: () => answers.length,
    /** The gateway answers the nth question that has begun. */
    answer: (nth: number, sent: object) => answers[nth]?.(sent),
    /** All pauses are over. */
    passes: () => {
      for (const pause of pauses.splice(0)) pause()
    },
  }
}

/** Everything that is under way comes to where it waits. */
const settled = () => new Promise(setImmediate)

const said = (word: string) => ({ kind: 'answered', reply: { ...reply, status: word } })
const words = async (asked: readonly ReturnType<ReturnType<typeof heldAsker>['ask']>[]) =>
  (await Promise.all(asked)).map(each => (each.kind === 'reply' ? each.reply.status : each.kind))

describe('equal questions', () => {
  it('are one for all who need it before it begins: two are under way at most, and the others share the next', async () => {
    const { ask, answer, begun, two } = heldAsker()
    const asked = [...(await two()), ...Array.from({ length: 98 }, () => ask())]
    await settled()
    expect(begun()).toBe(2)
    answer(0, said('processing'))
    await settled()
    expect(begun()).toBe(3)
    answer(1, said('approved'))
    answer(2, said('declined'))
    expect(await words(asked)).toEqual(['processing', 'approved', ...Array(98).fill('declined')])
    expect(begun()).toBe(3)
  })

  it('are not shared by who needs it after it has begun, whatever the clocks say', async () => {
    const { ask, answer, begun, clock, two } = heldAsker()
    const early = [...(await two()), ask()]
    answer(0, said('processing'))
    await settled()
    // The third has begun. Its sharers’ clocks are behind those of the next: it is no answer to that one all the same.
    clock.now -= 1_000
    const late = ask()
    answer(1, said('processing'))
    await settled()
    answer(2, said('processing'))
    await settled()
    expect(begun()).toBe(4)
    answer(3, said('approved'))
    expect(await words([...early, late])).toEqual(['processing', 'processing', 'processing', 'approved'])
  })

  it('are dated for each who shares one by when it began and was answered', async () => {
    const { ask, answer, clock, two } = heldAsker()
    const asked = [...(await two()), ask(), ask()]
    await settled()
    clock.now = 100
    answer(0, said('processing'))
    await settled()
    clock.now = 300
    answer(1, said('processing'))
    answer(2, said('approved'))
    const times = (await Promise.all(asked)).map(({ askedAt, answeredAt }) => [askedAt, answeredAt])
    expect(times).toEqual([[0, 105], [0, 305], ...Array(2).fill([100, 305])])
  })

  it('wait no longer than a second for one that hangs', async () => {
    const { ask, answer, begun, passes, two } = heldAsker()
    const hanging = await two()
    const asked = [ask(), ask()]
    await settled()
    expect(begun()).toBe(2)
    passes()
    await settled()
    expect(begun()).toBe(3)
    answer(2, said('approved'))
    expect(await words(asked)).toEqual(['approved', 'approved'])
    answer(0, said('approved'))
    answer(1, said('approved'))
    await Promise.all(hanging)
  })

  it.each([
    ['order', { ...question, clientOrderId: 'basket-8' }],
    ['order id of the gateway', { ...question, orderId: '77' }],
    ['serial number', { ...question, bySerialNumber: '5' }],
    ['endpoint', { ...question, endpointId: '40' }],
    ['endpoint group', { ...question, endpointGroupId: '39' }],
  ] as const)('are not equal where the %s is another', async (_, other) => {
    const { ask, begun } = heldAsker()
    for (const each of [question, question, question, other]) void ask(each)
    await settled()
    expect(begun()).toBe(2)
  })

  it('are nobody else’s where they are put in another way, as those of till.client.status are', async () => {
    const { ask, answer, begun } = heldAsker()
    const leaving = new AbortController()
    const own = [ask(question, { retries: 0 }), ask(question, { signal: leaving.signal }), ask(question, {})]
    const shared = [ask(), ask()]
    await settled()
    expect(begun()).toBe(4)
    leaving.abort()
    for (const nth of [0, 1, 2, 3]) answer(nth, said(`${nth}`))
    expect(await words([...own, ...shared])).toEqual(['0', '1', '2', '3', '3'])
  })

  it('are asked anew by each who shared one that was refused: an answer of absence is one, whoever hears it', async () => {
    const { ask, answer, begun, clock } = heldAsker()
    const sharing = [ask(), ask(), ask()]
    await settled()
    expect(begun()).toBe(1)
    answer(0, refused)
    await settled()
    // The first of the three has its answer; the other two ask.
    expect(begun()).toBe(3)
    clock.now = 50
    for (const nth of [1, 2]) answer(nth, refused)
    const absences = await Promise.all(sharing)
    expect(absences.map(({ kind }) => kind)).toEqual(Array(3).fill('never-seen'))
    const heard = absences.map(each => (each.kind === 'never-seen' ? each.before : undefined))
    expect(heard[0]).toEqual([])
    for (const before of heard.slice(1)) expect(before?.[0]).toEqual({ answeredAt: 5, ago: 0 })
  })

  it('know of an answer of absence that came while they were under way', async () => {
    const { answer, clock, two } = heldAsker()
    const [one, other] = await two()
    clock.now = 400
    answer(1, refused)
    expect(await other).toMatchObject({ kind: 'never-seen', before: [] })
    clock.now = 500
    answer(0, refused)
    expect(await one).toMatchObject({ before: [{ answeredAt: 405, ago: -400 }] })
  })

  it('share that no answer came, and go on for who shares one whose asker gave up before it began', async () => {
    let busy: (waited: number | undefined) => void = () => {}
    let asked = 0
    const mayAsk = (): Promise<number | undefined> => {
      asked += 1
      return asked === 1 ? new Promise(resolve => (busy = resolve)) : Promise.resolve(0)
    }
    const { ask, answer, begun } = heldAsker({ mayAsk })
    const given = ask()
    const sharing = [ask(), ask()]
    await settled()
    expect([begun(), asked]).toEqual([0, 1])
    busy(undefined)
    expect(await given).toMatchObject({ kind: 'no-answer', cause: { code: 'ERR_NOT_SENT' } })
    await settled()
    const silent = { kind: 'no-answer', error: { code: 'ERR_TRANSPORT' } }
    answer(0, said('approved'))
    answer(1, said('approved'))
    expect(await words(sharing)).toEqual(['approved', 'approved'])
    const again = [ask(), ask(), ask(), ask()]
    await settled()
    answer(2, silent)
    expect(await words(again)).toEqual(Array(4).fill('no-answer'))
    expect(begun()).toBe(3)
  })

  it('go on where nobody waits any more who asked first', async () => {
    const { ask, answer, begun, two } = heldAsker()
    await two()
    void ask()
    const last = ask()
    answer(0, said('processing'))
    await settled()
    expect(begun()).toBe(3)
    answer(2, said('approved'))
    expect(await words([last])).toEqual(['approved'])
  })
})

it('a question that waited for its turn has so much less time for its answer', async () => {
  const given: unknown[] = []
  const send = async (options: unknown) => {
    given.push(options)
    return { kind: 'answered', reply }
  }
  let waited: number | undefined = 0
  const ask = createAsker({
    client: { baseUrl: 'https://gate.example', prepare: () => ({ timeout: 30_000, send }) } as never,
    engine: { store: memoryStore(), place },
    profile: defaultProfile,
    clocks: { system: () => 0, monotonic: () => 0 },
    wait: async () => {},
    mayAsk: async patience => {
      given.push(patience)
      return waited
    },
  })
  const now = () => ({ earliest: 0, latest: 0 })
  await ask(question, now)
  waited = 12_000
  await ask(question, now)
  const patience = { most: 30_000, signal: undefined }
  expect(given).toEqual([patience, {}, patience, { timeout: 18_000 }])
})
