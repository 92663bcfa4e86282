/** What the second process of a test does: it answers for a port of its own, and sends what it is told to. */
import type { Attempt, AttemptEnd, SaleRequest } from '@tillkit/protocol'
import { type AnyGatewayError, createClient } from '../src/index.js'
import { fileAttempts } from './file-attempts.js'

/** What it is asked. */
export type Asked =
  | { readonly id: number; readonly what: 'reserve' | 'changesOf'; readonly attempt: Attempt }
  | { readonly id: number; readonly what: 'settled'; readonly attempt: Attempt; readonly end: AttemptEnd }
  | { readonly id: number; readonly what: 'sale'; readonly request: SaleRequest }

const [, , path = '', baseUrl = '', controlKey = ''] = process.argv
const attempts = fileAttempts(path)
const client = createClient({ baseUrl, endpointId: 39, login: 'merchant', controlKey, attempts })

async function answer(asked: Asked): Promise<unknown> {
  switch (asked.what) {
    case 'reserve':
      return attempts.reserve(asked.attempt)
    case 'changesOf':
      return attempts.changesOf(asked.attempt)
    case 'settled':
      return attempts.settled(asked.attempt, asked.end)
    case 'sale':
      return client.sale(asked.request).then(
        () => 'sent',
        (error: AnyGatewayError) => error.code,
      )
  }
}

process.on('message', (asked: Asked) => {
  void answer(asked).then(
    value => process.send?.({ id: asked.id, value }),
    error => process.send?.({ id: asked.id, error: String(error) }),
  )
})
process.send?.({ id: 0 })
