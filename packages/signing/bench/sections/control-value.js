/** Control value, checks of the items included, against one crypto.hash over the joined text. */
import { hash } from 'node:crypto'
import { controlItems, controlString, controlValue } from '@tillkit/signing'
import { measure } from '../measure.js'
import { runOthers } from '../other-signers.js'
import { controlKey } from '../requests.js'

await runOthers()

const rowOf = (name, items, values) => {
  const joined = controlString(items, values, controlKey)
  const { ratio, microseconds } = measure({
    ours: () => controlValue(items, values, controlKey),
    'crypto.hash': () => hash('sha1', joined),
  })
  const against = 'times crypto.hash of the joined text'
  return { name: `Control value, ${name}`, against, ratio: ratio('ours', 'crypto.hash'), atMost: 1.9, microseconds }
}

export const rows = [
  rowOf('sale', controlItems.sale, {
    endpointId: '1111',
    clientOrderId: '902B4FF5',
    amount: '1042',
    email: 'john.smith@gmail.com',
  }),
  rowOf('capture', controlItems.capture, {
    login: 'merchant-login',
    clientOrderId: '902B4FF5',
    orderId: '6584126',
    amount: '1042',
    currency: 'EUR',
  }),
]
