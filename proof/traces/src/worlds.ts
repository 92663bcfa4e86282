/** Records random worlds of the till's tests, in this process. */
import type { FakeGateway } from '@tillkit/testing'
import type { Planted } from '../../../packages/till/test/till/worlds/life.js'
import { liveThrough } from '../../../packages/till/test/till/worlds/world.js'
import { bookedBy, loggedBy } from './gateway-lines.js'
import type { Line, StepLine } from './lines.js'
import { recording } from './record.js'
import { byReference, type Trace, tracesOf } from './trace.js'

/** The worlds of a seed. */
export interface RecordedWorld {
  readonly lines: readonly Line[]
  readonly traces: readonly Trace[]
  /** What the world's own books accuse the till of. */
  readonly wrong: readonly string[]
}

/** Lives through a world, and records it. @param planted A mistake, to see that it is found. */
export async function recordWorld(seed: string, planted: Planted = {}): Promise<RecordedWorld> {
  const lines: Line[] = []
  let t = 0
  let processes = 0
  const order = (): number => {
    t += 1
    return t
  }
  const write = (line: Line): void => void lines.push(line)
  let books: ((gateway: FakeGateway) => void) | undefined
  const { wrong } = await liveThrough(seed, planted, {
    // Every second world has 3DS, ways back, changes and payouts.
    hasMore: Number(seed) % 2 === 0,
    watch: {
      view(store, { gateway }) {
        books ??= bookedBy({ write, order })
        processes += 1
        const { now } = gateway.clock
        const looking = (line: Line): void => {
          // Only questions to status are judged by the books.
          if (line.line === 'step' && isAboutStatus(line)) books?.(gateway)
          write(line)
        }
        return recording(store, { process: `p${processes}`, write: looking, order, now })
      },
      look: ({ gateway }) => books?.(gateway),
      async over({ gateway, store }) {
        books?.(gateway)
        for (const each of gateway.calls()) for (const line of loggedBy(each)) write(line)
        const { items } = await store.list({ limit: 1000 })
        for (const { key, writeId, version, body } of items) write({ line: 'kept', key, writeId, version, body })
      },
    },
  })
  const text: readonly Line[] = lines.map(each => JSON.parse(JSON.stringify(each)))
  const traces = tracesOf(text, { name: `world ${seed}`, slack: 0, ...byReference })
  return { lines: text, traces, wrong }
}

const isAboutStatus = ({ effect, event }: StepLine): boolean =>
  effect === 'ask' || Reflect.get(Object(event), 'kind') === 'asked'
