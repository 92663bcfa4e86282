import type { Marks } from '../intents/next.js'
import { readDocument } from '../rules/kept/entry.js'
import { pauseOf } from '../rules/people/pause.js'
import { type PaymentPlace, restoredKey, tillKey } from '../store/keys.js'
import type { DocumentStore } from '../store/store.js'
import { restoredUntil } from './restored.js'

/** The store of a till, and the place of its payments there. */
interface Kept {
  readonly store: DocumentStore
  readonly place: PaymentPlace
}

/**
 * Makes what reads the marks of a till: that a person stopped new money, and that its store was restored from a backup. That counts until
 * both clocks say that it is over: a store's clock that was set ahead, if only once, does not end it.
 *
 * @param clock That of this process, in milliseconds since the epoch.
 */
export function marksOf({ store, place }: Kept, clock: () => number) {
  const documentOf = async (key: string) => {
    const { stored } = await store.read(key)
    return stored === undefined ? undefined : readDocument(stored)
  }
  return async (): Promise<Marks> => {
    const [till, restored] = await Promise.all([documentOf(tillKey(place)), documentOf(restoredKey(place))])
    const until = restoredUntil(restored)
    return { pause: pauseOf(till), restoredUntil: until > clock() ? Number.MAX_SAFE_INTEGER : until }
  }
}
