import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import schema from './gateway/config.schema.json' with { type: 'json' }
import { schemaProblems } from './schema.js'

/** A second opinion: ajv's own meta-schema, and its verdict on each sample. */
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true })
const validate = ajv.compile(schema)
const problems = (value: unknown) => schemaProblems(value, schema, 'The config')

const merchant = { login: 'north', endpoints: [11] }

describe('the schema of the config file', () => {
  it.each([
    {},
    {
      $schema: './gateway/config.schema.json',
      port: 4010,
      host: '::1',
      publicOrigin: 'http://gateway',
      prefix: '/pay/net',
    },
    { merchants: [{ ...merchant, controlKey: 'k', publicKeyFile: 'north.pem', groups: [19, '20'] }] },
    { merchants: [{ login: 'a', endpoints: ['9223372036854775807', { id: '1', currency: 'EUR' }, { id: 2 }] }] },
    {
      outcomes: [
        { outcome: '3ds', operation: 'sale', times: 2 },
        { outcome: 'error', amount: '66.6', errorCode: '' },
      ],
    },
    {
      processingTime: 0.5,
      formReplies: true,
      errorsEchoIds: true,
      strictFields: false,
      threeDSecure: 'gateway',
      allowCallbacksTo: 'anywhere',
    },
    { dashboard: false, seed: 'x', maxBodyBytes: 1, requestTimeout: 1, maxCalls: 1, maxOrders: 1 },
  ])('takes %j', value => {
    expect(problems(value)).toEqual([])
    expect(validate(value)).toBe(true)
  })

  it.each([
    [[], 'The config is of type array; it must be an object.'],
    [null, 'The config is null; it must be an object.'],
    ['{}', 'The config is "{}"; it must be an object.'],
    [{ prot: 1 }, 'The config has no "prot". There is: $schema, port, host,'],
    [JSON.parse('{"__proto__": 1}'), 'The config has no "__proto__".'],
    [{ toString: 1 }, 'The config has no "toString".'],
    [{ '4444 5555 6666 1111': 1 }, 'The config has no "444455******1111".'],
    [{ '\u2028': 1 }, 'The config has no "\\u2028".'],
    [{ port: '4010' }, '"port" is "4010"; it must be a whole number. Port to listen on.'],
    [{ port: 1.5 }, '"port" is 1.5; it must be a whole number.'],
    [{ port: -1 }, '"port" is -1; it must be 0 or more.'],
    [{ port: 65_536 }, '"port" is 65536; it must be 65535 or less.'],
    [{ host: '' }, '"host" is empty.'],
    [{ prefix: '' }, '"prefix" is ""; it must match'],
    [{ prefix: '/paynet/' }, '"prefix" is "/paynet/"; it must match'],
    [{ formReplies: 'yes' }, '"formReplies" is "yes"; it must be true or false.'],
    [{ processingTime: '2s' }, '"processingTime" is "2s"; it must be a number.'],
    [{ threeDSecure: 'bank' }, '"threeDSecure" is "bank"; it must be one of "merchant", "gateway".'],
    [{ merchants: {} }, '"merchants" is of type object; it must be a list.'],
    [{ merchants: [] }, '"merchants" is empty. Default: one merchant'],
    [{ merchants: [merchant, {}] }, '"merchants[1].login" is missing. Merchant login'],
    [
      { merchants: [{ ...merchant, endpoints: [true] }] },
      '"merchants[0].endpoints[0]" is of type boolean; it must be an id such as',
    ],
    [{ merchants: [{ ...merchant, endpoints: [-1] }] }, '"merchants[0].endpoints[0]" is -1; it must be an id'],
    [{ merchants: [{ ...merchant, endpoints: [2 ** 53] }] }, '"merchants[0].endpoints[0]" is 9007199254740992'],
    [
      { merchants: [{ ...merchant, endpoints: [{ id: 1, currency: 'euro' }] }] },
      '"merchants[0].endpoints[0]" is of type obj',
    ],
    [
      { merchants: [{ ...merchant, groups: ['019'] }] },
      '"merchants[0].groups[0]" is "019"; it must be a 64-bit integer',
    ],
    [{ outcomes: [{ outcome: 'lost' }] }, '"outcomes[0].outcome" is "lost"; it must be one of "approved"'],
    [{ outcomes: [{ outcome: 'error', amount: '1,50' }] }, '"outcomes[0].amount" is "1,50"; it must match'],
  ])('refuses %j', (value, text) => {
    expect(problems(value)[0]).toContain(text)
    expect(validate(value)).toBe(false)
  })

  it('lists everything that is wrong at once', () => {
    const value = { port: 'x', merchants: [{ endpoint: 1 }, { login: 'a', controlKey: '' }] }
    expect(problems(value).map(line => line.split('"')[1])).toEqual([
      'port',
      'merchants[0].login',
      'merchants[0]',
      'merchants[1].controlKey',
    ])
  })

  it('shows no control key', () => {
    for (const controlKey of [12_345, ['12345'], true]) {
      expect(problems({ merchants: [{ ...merchant, controlKey }] })).toEqual([
        expect.stringContaining('"merchants[0].controlKey" is something else; it must be a text in quotes.'),
      ])
    }
  })
})
