import { expect, it } from 'vitest'
import type { ClientWarning } from '../src/index.js'
import { failingCalls } from './failing-calls.js'
import { saleRequest } from './sample-requests.js'

const { now, open } = failingCalls()

// Section 2 of the interface specification names `ipaddress` without a format and `country` not at all: nothing is refused.
it('a request with odd fields is sent as it is, and each field is warned of once', async () => {
  const warnings: ClientWarning[] = []
  const client = open({ observer: { warning: warning => void warnings.push(warning) } })
  const odd = { ipAddress: '203.0.113.7, 10.0.0.1', country: 'Germany' }
  await client.sale({ ...saleRequest, ...odd })
  await client.sale({ ...saleRequest, ...odd, country: 'France' })
  expect(now.server.arrived.map(({ body }) => new URLSearchParams(body).get('ipaddress'))).toEqual([
    odd.ipAddress,
    odd.ipAddress,
  ])
  expect(warnings.map(({ code }) => code)).toEqual(['WARN_FIELD_DOUBTFUL', 'WARN_FIELD_DOUBTFUL'])
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^"ipAddress" has more than one address.*The request is not changed for that\.$/),
    expect.stringMatching(/^"country" is "Germany".*Write "DE"\. The request is not changed for that\.$/),
  ])
  await client.close()
})
