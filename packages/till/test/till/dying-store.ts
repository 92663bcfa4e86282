/** A store whose process dies at one of its calls: nothing after it reaches the store, and nothing is answered. */
import type { DocumentStore, Store } from '../../src/store/store.js'

/** The process dies before or after call number `at`, counted from 0. */
export interface Death {
  readonly at: number
  readonly when: 'before' | 'after'
}

/** One for each call: one for all would keep everything that ever waited for it. */
const never = () => new Promise<never>(() => {})

export function dyingStore(store: DocumentStore & Partial<Pick<Store, 'commit'>>, { at, when }: Death) {
  const { commit } = store
  let calls = 0
  let isDead = false
  let tell = () => {}
  const died = new Promise<void>(resolve => {
    tell = resolve
  })
  const die = () => {
    isDead = true
    tell()
  }
  const through =
    <Arguments extends unknown[], Result>(call: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      if (isDead) return never()
      const isLast = calls === at
      calls += 1
      if (isLast && when === 'before') {
        die()
        return never()
      }
      const result = await call(...given)
      if (isLast) die()
      return isDead ? never() : result
    }
  const dying: DocumentStore & Partial<Pick<Store, 'commit'>> = {
    read: through(key => store.read(key)),
    write: through((key, entry, options) => store.write(key, entry, options)),
    postpone: through((key, after, due) => store.postpone(key, after, due)),
    take: through(options => store.take(options)),
    list: through(options => store.list(options)),
    close: async () => {},
    ...(commit === undefined
      ? {}
      : { commit: through<Parameters<typeof commit>, Awaited<ReturnType<typeof commit>>>(commit) }),
  }
  return { store: dying, isDead: () => isDead, died, calls: () => calls }
}
