/** Reads and writes the store, as the driver's effects do: what has left a process arrives, though that dies. */
import type { Effect, Event } from '../../../../packages/till/src/engine/run.js'
import { StoreError } from '../../../../packages/till/src/store/store.js'
import type { Life } from '../life.js'
import { kill, type Living } from './driver.js'
import { knownOf } from './store.js'

const unknown = (): Event => ({
  kind: 'unknown',
  cause: new StoreError('ERR_STORE_UNKNOWN', 'The store did not answer.'),
})

/** How long an answer of a slow store takes, in milliseconds. */
const slowly = (by: number): number => 1_000 + Math.floor(by * by * 120_000)

/** How long a read is on its way to the store, in milliseconds. @param step Which event of its run it follows. */
export const readTakes = (life: Life, run: string, step: number): number => life.takes(`${run} ${step}`, 0, 4)

export function reads(life: Life, living: Living): void {
  const { id, steps, time, process } = living
  const fault = life.fault('read')
  const asked = time.read()
  if (fault?.what === 'dies') {
    kill(life, process)
    return
  }
  living.later(readTakes(life, id, steps), () => {
    const [row, at, marks] = [readNow(life), life.storeTime(), life.staleBy === 0 ? life.marks() : {}]
    const wasPaused = life.isPaused
    living.later(fault?.what === 'slow' ? slowly(fault.by) : 1, () => {
      if (fault?.what === 'unanswered') return living.hear(unknown())
      time.heard(at, asked)
      living.stored = row?.stored
      // The last reading counts: new money may come again.
      living.mayKnowPause = wasPaused
      living.hear({ kind: 'read', known: knownOf(row), marks })
    })
  })
}

export function writes(life: Life, living: Living, effect: Extract<Effect<unknown>, { kind: 'write' }>): void {
  const { id: run, steps, time, process } = living
  const { id, after, history, document, what } = effect
  const fault = life.fault('write')
  if (fault?.what === 'dies') {
    kill(life, process)
    return
  }
  const asked = time.read()
  const arrive = () => {
    const written = life.store.write({ document, history }, { after, id })
    life.say?.(`${run} writes ${id}: ${written.kind} (${history.facts.at(-1)?.kind})`)
    return { written, at: life.storeTime() }
  }
  if (fault?.what === 'refused' && what === 'gate') {
    living.later(2, () =>
      living.hear({ kind: 'failed', cause: new StoreError('ERR_STORE_REFUSED', 'The store is full.') }),
    )
    return
  }
  if (fault?.what === 'lost') {
    living.later(5_000, () => living.hear(unknown()))
    return
  }
  if (fault?.what === 'late') {
    const epoch = life.store.epoch()
    life.later(slowly(fault.by), () => {
      if (epoch === life.store.epoch()) arrive()
    })
    living.later(5_000, () => living.hear(unknown()))
    return
  }
  // What has left the process arrives, though that dies.
  const epoch = life.store.epoch()
  life.later(life.takes(`${run} ${steps}`, 0, 4), () => {
    if (epoch !== life.store.epoch()) return
    const { written, at } = arrive()
    if (fault?.what === 'dies-after') return kill(life, process)
    living.later(fault?.what === 'slow' ? slowly(fault.by) : 1, () => {
      if (fault?.what === 'unheard') return living.hear(unknown())
      time.heard(at, asked)
      living.stored = written.row?.stored
      living.hear(written.kind === 'written' ? { kind: 'written' } : { kind: 'conflict', known: knownOf(written.row) })
    })
  })
}

/** What a read shows: the row as it is, unless the store breaks its contract. */
const readNow = ({ store, staleBy, now }: Life) => (staleBy === 0 ? store.row() : store.rowAt(now() - staleBy))
