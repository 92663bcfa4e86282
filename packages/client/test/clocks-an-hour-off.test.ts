/** Machines whose clocks are an hour off, or are set while a sale is lost and resolved. Counted in the fake's books. */
import type { RememberedAttempt } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { closeShops, minute, openShop, sale } from './resolving.js'
import { rows } from './soak.js'
import { dyingStore, oneTurn, watchedStore } from './watched-store.js'

closeShops()

const hour = 60 * minute

/** Whose clock is set, by how much, and when. */
interface Change {
  readonly whose: 'seller' | 'asker' | 'store'
  readonly by: number
  readonly when: 'from the beginning' | 'before the first byte' | 'after the sale' | 'after a first answer'
}

/** What becomes of the sale: it never arrives; it arrives and its answer is lost; it never arrives, and its process dies. */
type Fate = 'drop' | 'commit-then-drop' | 'drop, and the process dies'

/**
 * Sells, and has another machine try the same sale and resolve the first one every five minutes, until the order is known to be there or
 * was sent again.
 */
async function sellAndResolve({ whose, by, when }: Change, fate: Fate) {
  const off = { seller: 0, asker: 0, store: 0 }
  const set = (now: Change['when']): void => {
    if (now === when) off[whose] = by
  }
  const shop = await openShop()
  const trueTime = () => shop.gateway.clock.now()
  // The store's clock goes back, as that of a standby may that takes over: no engine can undo what it has handed out.
  const store = watchedStore({ clock: trueTime })
  const shifted = {
    ...store,
    read: async (key: string) => {
      const read = await store.read(key)
      return { ...read, at: read.at + off.store }
    },
    write: async (...given: Parameters<typeof store.write>) => {
      const written = await store.write(...given)
      return { ...written, at: written.at + off.store }
    },
  }
  const seller = shop.another({
    store: fate === 'drop, and the process dies' ? dyingStore(shifted) : shifted,
    clock: () => trueTime() + off.seller,
    wait: oneTurn,
    observer: { signed: () => set('before the first byte') },
  })
  const asker = shop.another({ store: shifted, clock: () => trueTime() + off.asker, wait: oneTurn })
  set('from the beginning')
  const began = trueTime()
  shop.gateway.faults.arm(fate === 'commit-then-drop' ? fate : 'drop')
  const first = await seller.sale(sale).then(
    () => 'answered',
    ({ code }: { readonly code: string }) => code,
  )
  shop.gateway.faults.clear()
  set('after the sale')
  const said: string[] = []
  for (let asked = 0; asked < 60; asked += 1) {
    const attempt = JSON.parse(JSON.stringify(store.attempts()[0])) as RememberedAttempt
    const again = await asker.sale(sale).then(
      () => 'sent',
      ({ code }: { readonly code: string }) => code,
    )
    said.push(again)
    if (again === 'sent') break
    const resolution = await asker.resolve(attempt)
    said.push(resolution.kind)
    if (resolution.kind === 'happened') break
    if (resolution.kind === 'cannot-tell-yet' && resolution.reason === 'one-answer') set('after a first answer')
    await shop.gateway.clock.advance(5 * minute)
  }
  return { first, said, passed: trueTime() - began, arrived: shop.gateway.calls('sale').length }
}

const changes: readonly Change[] = (['seller', 'asker', 'store'] as const).flatMap(whose =>
  (['from the beginning', 'before the first byte', 'after the sale', 'after a first answer'] as const).flatMap(when =>
    // A store's clock that is set ahead is another matter: till.md counts on it not to be.
    (whose === 'store' ? [-hour] : [hour, -hour]).map(by => ({ whose, by, when })),
  ),
)

/** Daily each clock at three moments, set ahead or back, and each moment twice or more. */
const isDaily = (_: Change, at: number): boolean => at % 3 === 0

describe.each(rows(changes, isDaily))('the clock of the $whose, off by $by ms $when', change => {
  it('has a sale that arrived found, and sent no second time', async () => {
    const { first, said, arrived } = await sellAndResolve(change, 'commit-then-drop')
    // A seller whose clock is set ahead just before the first byte sends nothing.
    if (first === 'ERR_NOT_SENT') expect(said).toEqual(['sent'])
    else expect([first, ...said]).toEqual(['ERR_OUTCOME_UNKNOWN', 'ERR_ALREADY_SENT', 'happened'])
    expect(arrived).toBe(1)
  })

  it.each<Fate>(['drop', 'drop, and the process dies'])(
    'has a sale that was lost (%s) sent again, not before its time',
    async fate => {
      const { first, said, passed } = await sellAndResolve(change, fate)
      expect(said.at(-1)).toBe('sent')
      expect(said).not.toContain('happened')
      const isUnsent = first === 'ERR_NOT_SENT' && fate === 'drop'
      // Fifteen minutes of quiet, and two answers five minutes apart.
      expect(passed >= 20 * minute).toBe(!isUnsent)
    },
  )
})
