/**
 * A lane: one gateway with its books, one store, and one life after the other: begun by a process that dies, ended by another one.
 *
 * @module
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { defineProfile, operations } from '@tillkit/protocol'
import { createFakeGateway, payAsCustomer, testPrivateKey } from '@tillkit/testing'
import { createTill, type Till } from '@tillkit/till'
import { freePort } from '../../../../express-middleware/test/listening.js'
import { readDocument } from '../../../src/rules/kept/entry.js'
import { documentKey } from '../../../src/store/keys.js'
import type { Store } from '../../../src/store/store.js'
import type { Engine } from '../../kills/engines.js'
import { placeOf } from '../place.js'
import { auditLife, isOver } from './books.js'
import { type LifeName, lives, type Point } from './points.js'
import type { ProcessOptions } from './process.js'
import { actsOf, tillOptions, timeout } from './shop.js'

/** A life that was lived. */
export interface Lived {
  /** Whether the process died at its point; true where it had none. */
  readonly isHit: boolean
  /** The points that the process passed, if it did not die. */
  readonly passed: readonly Point[]
  readonly wrong: readonly string[]
}

export interface Lane {
  live(life: LifeName, point?: Point): Promise<Lived>
  close(): Promise<void>
}

async function read(till: Till, { store, reference }: { readonly store: Store<never>; readonly reference: string }) {
  const { stored } = await store.read(documentKey({ clientOrderId: reference }, placeOf(till, 'points')))
  return stored === undefined ? undefined : readDocument(stored)
}

/** After how many looks a life must have come to its end, and the time between two, in milliseconds: what it waits for takes seconds. */
const [mostLooks, pauseOfLooks] = [150, 400]

let count = 0

export async function openLane(
  engine: Engine,
  { program, planted }: { readonly program: string; readonly planted?: ProcessOptions['planted'] },
): Promise<Lane> {
  const profile = defineProfile({ orderNeverSeen: '4711' })
  const gateway = createFakeGateway({ profile, processingTime: 5, maxCalls: 100_000 })
  for (const operation of ['capture', 'return', 'payoutPay'])
    gateway.faults.arm({ fault: 'callback-never', operation, probability: 1 })
  await gateway.listen()
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const account = { baseUrl: baseUrl.href, endpointId, login, controlKey, privateKey: testPrivateKey }
  const ground = await engine.open()

  const customerPays = async (address: string, cvv2: string): Promise<void> => {
    // The customer's way back ends if the shop dies.
    if (address.startsWith(baseUrl.origin)) await payAsCustomer(new URL(address), { gateway, cvv2 }).catch(() => {})
    await gateway.callbacks.idle()
  }

  /** Another process takes over: the one that counts. It goes on until all is said, as a merchant, a customer and a person would. */
  const takeOver = (life: LifeName, { port, reference }: { readonly port: number; readonly reference: string }) =>
    ground.look(async store => {
      const options = tillOptions({ account, port })
      const till = createTill<never>({ ...options, account: { ...options.account, profile }, store })
      const server = createServer((request, response) => {
        till.answer(request).then(
          answer => response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body),
          error => response.writeHead(500).end(String(error)),
        )
      }).listen(port, '127.0.0.1')
      const acts = actsOf(till)
      const begin = life === 'captured-by-wish' ? acts.hold : life === 'paid-out' ? acts.payout : acts.pay
      try {
        for (let looks = 0; looks < mostLooks; looks += 1) {
          const { state, orders } = await till.payment(reference)
          const rows = await ground.told(reference)
          const document = await read(till, { store, reference })
          if (isOver(life, { state, rows, document })) break
          if (state === 'paid' && life === 'returned-in-part') await acts.return(reference).catch(() => {})
          else if (state !== 'held' && state !== 'paid' && state !== 'sent') {
            const wasDeclined = orders.some(({ standing }) => standing === 'failed')
            const cvv2 = life === 'second-card' && !wasDeclined ? '101' : '123'
            await customerPays(await begin(reference).catch(() => ''), cvv2)
          }
          await till.tick()
          await askPerson(till, reference)
          await pause(pauseOfLooks)
        }
        const document = await read(till, { store, reference })
        const { state } = await till.payment(reference)
        return auditLife(life, {
          reference,
          state,
          document,
          orders: gateway.orders.list(),
          rows: await ground.told(reference),
        })
      } finally {
        server.closeAllConnections()
        server.close()
        await till.close()
      }
    })

  /** Status cannot show that a change was never sent: a person looks it up at the gateway. */
  const askPerson = async (till: Till, reference: string) => {
    for (const question of await till.questions(reference)) {
      if (question.kind !== 'unknown') continue
      const { order: clientOrderId, request, operation, effect } = question
      const order = gateway.orders.find(clientOrderId)
      const stages: readonly string[] = operations[operation as 'capture'].stages
      const stage = order?.stages.find(each => stages.includes(each.stage))
      const shown =
        effect === 'creates' ? { orderId: order?.orderId ?? '' } : { serialNumber: stage?.serialNumbers?.at(-1) ?? '' }
      const decision = stage === undefined ? ({ kind: 'failed' } as const) : ({ kind: 'arrived', ...shown } as const)
      await till
        .decide(reference, { ...decision, order: clientOrderId, request, who: 'ada', why: 'looked up' })
        .catch(() => {})
    }
  }

  return {
    async live(life, point) {
      count += 1
      const reference = `life-${count}`
      const port = await freePort()
      const options: ProcessOptions = { store: ground.store, account, port, point, planted }
      const child = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
      let said = ''
      child.stderr?.on('data', text => {
        said += String(text)
      })
      const exit = once(child, 'exit')
      const passed = await runLife(child, life, {
        reference,
        customerPays,
        settled: () => gateway.callbacks.idle(),
        exit,
      })
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exit
      const isHit = point === undefined || passed === undefined
      const failed = child.signalCode === 'SIGKILL' ? [] : [`the process ended by itself: ${said}`]
      const wrong = [...failed, ...(await takeOver(life, { port, reference }))]
      return { isHit, passed: passed ?? [], wrong }
    },
    async close() {
      await ground.end()
      await gateway.close()
    },
  }
}

interface Answered {
  readonly kind: 'listening' | 'done' | 'failed'
  readonly address?: string
  readonly passed?: readonly Point[]
}

/** Takes the steps of a life. @returns What was passed; undefined where the process died. */
async function runLife(
  child: ChildProcess,
  life: LifeName,
  {
    reference,
    customerPays,
    settled,
    exit,
  }: {
    readonly reference: string
    readonly customerPays: (address: string, cvv2: string) => Promise<void>
    /** Resolves once no callback is on its way. */
    readonly settled: () => Promise<unknown>
    readonly exit: Promise<unknown>
  },
): Promise<readonly Point[] | undefined> {
  const dead = exit.then(() => undefined)
  const answer = (): Promise<Answered | undefined> =>
    Promise.race([once(child, 'message').then(([message]) => message as Answered), dead])
  const isDead = () => child.exitCode !== null || child.signalCode !== null
  if ((await answer()) === undefined) return undefined
  let address = ''
  let passed: readonly Point[] = []
  const tell = async (place: number, act: string): Promise<Answered | undefined> => {
    if (isDead()) return undefined
    const answered = answer()
    child.send({ place, act, reference }, () => {})
    return answered
  }
  for (const [place, act] of lives[life].entries()) {
    // An open request is due once its answer is not waited for any more.
    if (act === 'tick') await pause(2 * timeout + 200)
    const isCustomer = act === 'customer' || act === 'customer-declined'
    const answered = await tell(place, isCustomer ? 'nothing' : act)
    if (answered === undefined) return undefined
    address = answered.address || address
    if (isCustomer) await customerPays(address, act === 'customer' ? '123' : '101')
    // A callback belongs to the step that it is about.
    else await pause(30)
    await settled()
    const after = await tell(place, 'nothing')
    if (after === undefined || isDead()) return undefined
    passed = after.passed ?? []
  }
  return passed
}
