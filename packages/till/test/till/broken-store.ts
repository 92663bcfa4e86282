import { type DocumentStore, StoreError } from '../../src/store/store.js'

/** The same store, which refuses every write of a payment for good while `refuses.isOn`. */
export function brokenStore(store: DocumentStore) {
  const refuses = { isOn: false }
  const write: DocumentStore['write'] = async (key, entry, options) => {
    if (refuses.isOn && key.startsWith('payment/'))
      throw new StoreError('ERR_STORE_REFUSED', 'There is no room for it.')
    return store.write(key, entry, options)
  }
  return { refuses, store: { ...store, write } }
}
