/**
 * A lane: one gateway with its books, one line to it, one store, and one life after the other.
 *
 * @module
 */
import { defineProfile } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { openBooks } from './books.js'
import { openDoor } from './door.js'
import type { Engine } from './engines.js'
import type { Planted } from './messages.js'
import { type Ending, nameOf, oneLife } from './one-life.js'
import { lateness, type Payment, times } from './payments.js'
import type { Case } from './points.js'
import type { Tally } from './tally.js'
import { wireTo } from './wire.js'

/** One list of payments, and how its lives end. */
export type Chapter =
  | { readonly kind: 'cases'; readonly cases: readonly Case[] }
  /** Killed after so many milliseconds of work each. */
  | {
      readonly kind: 'random'
      readonly payments: readonly Omit<Payment, 'reference'>[]
      readonly lives: readonly number[]
    }

export interface LaneOptions {
  readonly engine: Engine
  /** The program of a life. */
  readonly program: string
  readonly tally: Tally
  readonly planted?: Planted | undefined
}

/** Works through chapters. */
export interface Lane {
  /** @returns The cases whose last blow was not dealt. */
  work(chapter: Chapter): Promise<readonly Case[]>
  close(): Promise<void>
}

let chapters = 0

export async function openLane({ engine, program, tally, planted }: LaneOptions): Promise<Lane> {
  const profile = defineProfile({ orderNeverSeen: '4711' })
  const gateway = createFakeGateway({ profile, processingTime: 15, maxCalls: 100_000 })
  const { port } = await gateway.listen()
  // A request that arrives after the word of a hasty person is what finds it, and on a busy machine it may arrive before.
  const wire = await wireTo(port, planted === 'hasty' ? 'held' : lateness)
  const door = await openDoor()
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const reached = new URL(baseUrl)
  reached.port = String(wire.port)
  const ground = await engine.open()
  const surroundings = {
    program,
    planted,
    wire,
    door,
    ground,
    gateway: { baseUrl: reached.href, endpointId, login, controlKey },
  }

  const run = async (chapter: Chapter): Promise<readonly Case[]> => {
    chapters += 1
    const list =
      chapter.kind === 'cases' ? chapter.cases.map(({ kind, by = 'status' }) => ({ kind, by })) : chapter.payments
    const payments = list.map((each, index): Payment => ({ reference: `list-${chapters}-${index}`, ...each }))
    // Otherwise callbacks come as early as they come.
    door.hold(chapter.kind === 'cases')
    const books = openBooks(gateway, payments)
    const isSlow = chapter.kind === 'cases' && chapter.cases.some(each => each.isSlow)
    const timeout = isSlow ? times.slow : times.timeout
    const accuse = (what: readonly string[]) => tally.accuse(engine.name, what)
    let lives = 0
    const live = async (until: number, end: Partial<Ending>) => {
      lives += 1
      const name = `life ${lives}, ${nameOf(end)}`
      const life = await oneLife(
        { ...surroundings, name, timeout, books, accuse, payments: payments.slice(0, until) },
        end,
      )
      accuse(books.audit())
      return life
    }
    const missed: Case[] = []
    const stopped: (() => Promise<void>)[] = []
    if (chapter.kind === 'random') {
      for (const after of chapter.lives) {
        const { isHit, context } = await live(payments.length, { after })
        if (isHit) tally.hit(engine.name, `at random, in ${context || 'its start'}`)
      }
    } else {
      for (const [index, each] of chapter.cases.entries()) {
        const { reference = '' } = payments[index] ?? {}
        let isWhole = true
        for (const [place, blow] of each.blows.entries()) {
          const { isHit, thaw } = await live(index + 1, { blow: { ...blow, reference } })
          if (thaw !== undefined) stopped.push(thaw)
          if (isHit) tally.hit(engine.name, place < each.blows.length - 1 ? `${blow.label}` : labelOf(each))
          isWhole &&= isHit
        }
        if (!isWhole) missed.push(each)
      }
    }
    await ground.settle()
    await live(payments.length, {})
    for (const thaw of stopped) await thaw()
    await wire.idle()
    accuse(books.audit())
    accuse(await ground.look(store => books.auditEnd(store, ground.told)))
    door.clear()
    gateway.reset()
    return missed
  }

  return {
    work: run,
    async close() {
      await wire.close()
      await door.close()
      await gateway.close()
      await ground.end()
    },
  }
}

/** The label that a case is counted under. */
export const labelOf = ({ blows }: Case): string => blows.at(-1)?.label ?? ''
