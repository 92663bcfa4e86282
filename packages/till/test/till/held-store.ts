/** A store of which one call stands still until a test lets it go on. */
import type { DocumentStore } from '../../src/store/store.js'

type Held = 'read' | 'write' | 'list'

/** A call that stands still. */
export interface Stop {
  /** Resolves once somebody stands there. */
  readonly reached: Promise<void>
  goOn(): void
}

/** The same store; `stop` holds the next call of a method: a write before it is done, what is read after it was read. */
export function heldStore(base: DocumentStore) {
  const stops = new Map<Held, { skip: number; readonly reach: () => void; readonly gone: Promise<void> }>()
  const standStill = async (name: Held): Promise<void> => {
    const stop = stops.get(name)
    if (stop === undefined) return
    stop.skip -= 1
    if (stop.skip >= 0) return
    stops.delete(name)
    stop.reach()
    await stop.gone
  }
  const store: DocumentStore = {
    ...base,
    async read(key) {
      const read = await base.read(key)
      if (key.startsWith('payment/')) await standStill('read')
      return read
    },
    async write(key, entry, options) {
      if (key.startsWith('payment/')) await standStill('write')
      return base.write(key, entry, options)
    },
    async list(options) {
      const page = await base.list(options)
      await standStill('list')
      return page
    },
  }
  return {
    store,
    /** @param skip How many calls pass before the one that is held. */
    stop(name: Held, skip = 0): Stop {
      let reach = () => {}
      let goOn = () => {}
      const reached = new Promise<void>(resolve => {
        reach = resolve
      })
      const gone = new Promise<void>(resolve => {
        goOn = resolve
      })
      stops.set(name, { skip, reach, gone })
      return { reached, goOn }
    },
  }
}
