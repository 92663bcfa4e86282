/** The words of a client about itself, and the ids that it takes. */
import { describe, expect, it } from 'vitest'
import { type ClientOptions, createClient } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { controlKey, saleRequest } from './sample-requests.js'

const open = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey, ...options })

describe('a client', () => {
  it('says which gateway and which merchant it is of', () => {
    const client = open({ baseUrl: 'https://gate.example/paynet/' })
    expect([client.baseUrl, client.login]).toEqual(['https://gate.example/paynet', 'merchant'])
  })

  it.each<[string, Partial<ClientOptions>, string | undefined]>([
    ['nothing, where no option says it', {}, undefined],
    ['production', { environment: 'production' }, 'production'],
    ['test', { environment: 'test' }, 'test'],
    ['test, for this machine', { baseUrl: 'http://127.0.0.1:4010/paynet' }, 'test'],
    ['test, without TLS', { baseUrl: 'http://gateway:4010/paynet', allowPlainHttp: true }, 'test'],
  ])('says what its address is for: %s', (_, options, environment) => {
    expect(open(options).environment).toBe(environment)
  })

  it('takes any order id that the gateway takes, twice too: it keeps nothing', async () => {
    const { dispatcher, captured } = capturing(anyReply)
    const client = open({ dispatcher })
    for (const _ of [1, 2]) await client.sale({ ...saleRequest, clientOrderId: '#1001' })
    expect(captured).toHaveLength(2)
  })
})
