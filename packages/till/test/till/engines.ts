/** The stores that a process may die on. */

import { onTestFinished } from 'vitest'
import { sqliteStore } from '../../src/sqlite.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { DocumentStore } from '../../src/store/store.js'
import { directory } from '../sqlite/ground.js'

/** A kind of store, by the name of what makes it. */
export interface Engine {
  readonly name: 'memoryStore' | 'sqliteStore'
  /** Opens one without documents, which is closed with the test. */
  readonly open: (clock: () => number) => DocumentStore
}

export const engines: Readonly<Record<'memory' | 'sqlite', Engine>> = {
  memory: { name: 'memoryStore', open: clock => memoryStore({ clock }) },
  sqlite: {
    name: 'sqliteStore',
    open: clock => {
      const store = sqliteStore(`${directory()}/shop.db`, { clock })
      onTestFinished(() => store.close())
      return store as unknown as DocumentStore
    },
  },
}
