import type { Marks } from '../intents/next.js'
import { readDocument } from '../rules/kept/entry.js'
import { pauseOf } from '../rules/people/pause.js'
import { type PaymentPlace, restoredKey, tillKey } from '../store/keys.js'
import type { DocumentStore } from '../store/store.js'
import { restoredUntil } from './restored.js'

/** Makes what reads the marks of a till: that a person stopped new money, and that its store was restored from a backup. */
export function marksOf({ store, place }: { readonly store: DocumentStore; readonly place: PaymentPlace }) {
  const documentOf = async (key: string) => {
    const { stored } = await store.read(key)
    return stored === undefined ? undefined : readDocument(stored)
  }
  return async (): Promise<Marks> => {
    const [till, restored] = await Promise.all([documentOf(tillKey(place)), documentOf(restoredKey(place))])
    return { pause: pauseOf(till), restoredUntil: restoredUntil(restored) }
  }
}
