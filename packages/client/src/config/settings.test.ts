import { describe, expect, it } from 'vitest'
import { otherPrivateKey, otherPublicKey } from '../../test/other-keys.js'
import { createClient, importPrivateKey } from '../index.js'
import type { ClientOptions } from './options.js'

const pair = { privateKey: otherPrivateKey, publicKey: otherPublicKey }
const base = { baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant' }
const open = (options: object) => () => createClient({ ...base, ...options } as ClientOptions)

describe('the options of createClient', () => {
  it.each([
    [{ store: {} }, 'createClient has no option "store". It has: baseUrl, '],
    [{ timeuot: 5 }, 'createClient has no option "timeuot". Did you mean "timeout"?'],
    [{ enviroment: 'test' }, 'Did you mean "environment"?'],
    [{ controlkey: undefined }, 'Did you mean "controlKey"?'],
    [{ secret: 'key' }, 'createClient has no option "secret". It has: baseUrl, allowPlainHttp, endpointId, '],
    [{ baseUrl: 'gate.example' }, '"baseUrl" is no absolute address'],
    [{ baseUrl: 'http://gate.example/paynet' }, '"baseUrl" is a http: address of gate.example; card data need https'],
    [
      { baseUrl: 'http://gateway:4010/paynet' },
      'such as a container, set "allowPlainHttp" to true; production refuses it.',
    ],
    [{ baseUrl: 'ftp://gateway/', allowPlainHttp: true }, '"baseUrl" is a ftp: address of gateway'],
    [{ allowPlainHttp: 'yes' }, '"allowPlainHttp" is "yes"; it must be true or false.'],
    [
      { baseUrl: 'http://gateway:4010/paynet', allowPlainHttp: true, environment: 'production' },
      '"allowPlainHttp" is true while "environment" is "production".',
    ],
    [{ allowPlainHttp: true, environment: 'production' }, '"allowPlainHttp" is true while "environment"'],
    [
      {
        baseUrl: 'http://gateway:4010/paynet',
        allowPlainHttp: true,
        privateKey: importPrivateKey(pair.privateKey, { label: 'production' }),
      },
      '"privateKey" is labelled production and "environment" is test.',
    ],
    [{ baseUrl: 'http://localhost.example/' }, 'card data need https'],
    [{ baseUrl: 'http://127.0.0.1.example/' }, 'card data need https'],
    [{ baseUrl: 'https://gate.example/?a=1' }, '"baseUrl" has a query'],
    [{ baseUrl: 'https://gate.example/#a' }, '"baseUrl" has a query or a fragment'],
    [{ baseUrl: 'https://me:pass@gate.example/' }, '"baseUrl" carries a user name or a password'],
    [
      { baseUrl: 'https://gate.example/paynet/api/v2/sale/39' },
      '"baseUrl" ends in "/api/v2/sale/39", which operations',
    ],
    [{ baseUrl: 'https://gate.example/paynet/api/v4/payout/group/7/' }, '"baseUrl" ends in "/api/v4/payout/group/7/"'],
    [{ baseUrl: 'https://gate.example/api/v2' }, '"baseUrl" ends in "/api/v2"'],
    [{ login: '39', endpointId: 'merchant' }, 'are "login" and "endpointId" swapped?'],
    [{ login: 39, endpointId: undefined, endpointGroupId: 'm' }, 'are "login" and "endpointGroupId" swapped?'],
    [{ baseUrl: 'ftp://gate.example/' }, '"baseUrl" is a ftp: address'],
    [{ endpointId: undefined }, '"endpointId" and "endpointGroupId" is needed and neither'],
    [{ endpointGroupId: 7 }, 'both were given'],
    [{ endpointId: undefined }, 'neither was given. An environment variable that is not set'],
    [{ endpointGroupId: 7 }, 'is needed and both were given.'],
    [
      { endpointId: Number(undefined) },
      '"endpointId" is NaN, which is what Number() makes of no number. An environment',
    ],
    [{ endpointId: 2 ** 63 }, '"endpointId" is the number 9223372036854776000, which has lost digits'],
    [{ endpointId: 1.5 }, 'no whole number'],
    [{ endpointId: '9223372036854775808' }, 'from 0 to 9223372036854775807'],
    [{ endpointId: -1 }, 'from 0 to'],
    [{ endpointId: '039' }, 'leading zeros'],
    [{ endpointId: '39 ' }, 'spaces'],
    [{ endpointId: undefined, endpointGroupId: 'x' }, '"endpointGroupId" is "x"'],
    [{ baseUrl: undefined }, '"baseUrl" is missing. Write it like https://'],
    [{ baseUrl: '' }, '"baseUrl" is empty. Write it like https://'],
    [{ login: undefined }, '"login" is missing. An environment variable that is not set is the usual cause.'],
    [{ login: '' }, '"login" is empty. An environment variable'],
    [{ login: null }, '"login" is no text. Write it as a string.'],
    [{ controlKey: 4711 }, '"controlKey" is no text. Write it as a string.'],
    [{ timeout: [1] }, '"timeout" is of type array;'],
    [{ privateKey: '' }, '"privateKey" is empty. An environment variable'],
    [{ controlKey: '' }, '"controlKey" is empty. An environment variable'],
    [{ controlKey: 'key\n' }, '"controlKey" begins or ends with white space'],
    [{ controlKey: pair.privateKey }, '"controlKey" is a key in PEM. An RSA key goes into "privateKey"'],
    [{ controlKey: `${undefined}` }, '"controlKey" is the word undefined: something that is not there was written as'],
    [{ login: 'null' }, '"login" is the word null'],
    [{ controlKey: '<MERCHANT_CONTROL_KEY>' }, '"controlKey" is a placeholder in angle brackets'],
    [{ endpointId: null }, '"endpointId" is null; it must be'],
    [{ privateKey: null }, '"privateKey" cannot be used. Pass PEM text'],
    [{ privateKey: 5 }, '"privateKey" cannot be used. Pass PEM text'],
    [{ privateKey: 'x' }, '"privateKey" cannot be used. This is not a PEM key'],
    [{ privateKey: pair.privateKey.replaceAll('\n', '\\n') }, '"privateKey" cannot be used'],
    [{ privateKey: pair.publicKey }, 'this file holds a public key'],
    [{ environment: 'live' }, '"environment" is "live"'],
    [{ baseUrl: 'http://localhost:1/', environment: 'production' }, 'always a test'],
    [{ dispatcher: {} }, '"dispatcher" has no method "dispatch"'],
    [{ clock: 5 }, '"clock" is 5; it must be a function.'],
    [{ clock: null }, '"clock" is null; it must be a function.'],
    [{ nonce: 'x' }, '"nonce" is "x"; it must be a function.'],
    [{ random: 1 }, '"random" is 1; it must be a function.'],
    [{ wait: 1 }, '"wait" is 1; it must be a function.'],
    [{ observer: 5 }, '"observer" is 5; it must be an object with functions.'],
    [{ observer: { exchange: 5 } }, '"observer.exchange" is 5; it must be a function.'],
    [{ observer: { warning: null } }, '"observer.warning" is null; it must be a function.'],
    [{ observer: { exchnage() {} } }, '"observer" has no function "exchnage". Did you mean "exchange"?'],
    [
      { profile: {} },
      `"profile" is no wire profile. Pass what defineProfile({ … }) returns: import { defineProfile } from '@tillkit/protocol'.`,
    ],
    [{ profile: null }, '"profile" is no wire profile.'],
    [{ profile: 'public' }, '"profile" is no wire profile.'],
    [{ login: 'mer\nchant' }, '"login" has U+000A in it, a character that nobody sees'],
    [{ login: 'mer\u200bchant' }, '"login" has U+200B in it'],
    [{ controlKey: 'k\u0000ey' }, '"controlKey" has U+0000 in it'],
    [{ controlKey: 'key\u2060' }, '"controlKey" has U+2060 in it'],
    [{ timeout: 0 }, '"timeout" is 0; it must be a whole number of milliseconds'],
    [{ timeout: '30s' }, '"timeout" is "30s";'],
    [{ timeout: '' }, '"timeout" is "";'],
    [{ timeout: 2 ** 31 }, '"timeout" is 2147483648'],
    [{ maxReplyBytes: 1.5 }, '"maxReplyBytes" is 1.5'],
    [{ serverCallbackUrl: '/callback' }, '"serverCallbackUrl" is a path'],
    [{ serverCallbackUrl: 'ftp://shop.example/' }, '"serverCallbackUrl" is no absolute http or https address'],
    [{ serverCallbackUrl: 'https://me:pass@shop.example/' }, '"serverCallbackUrl" carries a user name'],
    [{ serverCallbackUrl: new URL('https://shop.example/') }, '"serverCallbackUrl" is no text'],
  ])('refuse %j', (options, message) => {
    expect(open(options)).toThrow(TypeError)
    expect(open(options)).toThrow(message)
  })

  it('never repeat a password or a key in the mistake', () => {
    expect(open({ baseUrl: 'https://me:hunter2@gate.example/' })).toThrow(expect.not.stringContaining('hunter2'))
  })

  it.each([
    { endpointId: 9223372036854775807n },
    { endpointId: '9223372036854775807' },
    { endpointId: undefined, endpointGroupId: 0 },
    { baseUrl: new URL('https://gate.example/') },
    { baseUrl: 'http://127.0.0.1:8080/paynet' },
    { baseUrl: 'http://gateway:4010/paynet', allowPlainHttp: true },
    { baseUrl: 'http://gateway:4010/paynet', allowPlainHttp: true, environment: 'test' },
    { baseUrl: 'http://[::1]:8080' },
    { baseUrl: 'https://proxy.example/api' },
    { baseUrl: 'https://proxy.example/api/v2/sale/39/of' },
    { serverCallbackUrl: 'http://127.0.0.1:8080/callback' },
    {
      observer: new (class {
        sink = () => {}
        exchange() {}
      })(),
    },
    { privateKey: pair.privateKey },
    { privateKey: importPrivateKey(pair.privateKey).key },
    { privateKey: importPrivateKey(pair.privateKey) },
  ])('take %#', options => {
    expect(open(options)).not.toThrow()
  })

  it('refuse a key that is labelled for the other environment', () => {
    const test = importPrivateKey(pair.privateKey, { label: 'test' })
    const production = importPrivateKey(pair.privateKey, { label: 'production' })
    expect(open({ privateKey: test, environment: 'test' })).not.toThrow()
    expect(open({ privateKey: production, environment: 'production' })).not.toThrow()
    expect(open({ privateKey: test, environment: 'production' })).toThrow(
      'labelled test and "environment" is production',
    )
    expect(open({ privateKey: production, environment: 'test' })).toThrow('labelled production')
    expect(open({ privateKey: production, baseUrl: 'http://localhost/' })).toThrow('labelled production')
    expect(open({ privateKey: test })).toThrow('"environment" is missing')
  })
})

describe('the option uses', () => {
  it.each([
    [{ uses: ['sale'] }, '"controlKey" is missing, and sale, which "uses" names, needs it.'],
    [{ uses: ['status', 'payout'], privateKey: pair.privateKey }, '"controlKey" is missing, and status,'],
    [{ uses: ['sale', 'payoutV4'], controlKey: 'key' }, '"privateKey" is missing, and payoutV4, which "uses" names'],
    [{ uses: ['payoutPay'], controlKey: 'key' }, '"privateKey" is missing, and payoutPay'],
    [{ uses: ['refund'] }, '"uses" names "refund", which is no operation.'],
    [{ uses: ['Sale'] }, 'Did you mean "sale"?'],
    [{ uses: 'sale' }, '"uses" must be a list of names of operations'],
  ])('refuses %j', (options, message) => {
    expect(open(options)).toThrow(TypeError)
    expect(open(options)).toThrow(message)
  })

  it('takes what there are keys for', () => {
    expect(open({ uses: ['sale', 'payout'], controlKey: 'key' })).not.toThrow()
    expect(open({ uses: ['payoutV4'], privateKey: pair.privateKey })).not.toThrow()
  })
})

describe('a key that is missing', () => {
  const payout = { clientOrderId: 'p-1', amount: '5.00', currency: 'EUR' }

  it.each([
    [{ controlKey: undefined }, '"controlKey" is there and undefined, and no other key is'],
    [{ privateKey: undefined }, '"privateKey" is there and undefined, and no other key is'],
    [{ controlKey: undefined, privateKey: undefined }, '"controlKey" and "privateKey" are there and undefined'],
  ])('is refused where it got lost on its way: %j', (keys, message) => {
    expect(open(keys)).toThrow(TypeError)
    expect(open(keys)).toThrow(message)
    expect(open(keys)).toThrow('An environment variable that is not set is the usual cause.')
  })

  it.each([{}, { controlKey: undefined, privateKey: pair.privateKey }, { controlKey: 'key', privateKey: undefined }])(
    'is none where it is left out, or another one is there: %#',
    keys => {
      expect(open(keys)).not.toThrow()
    },
  )

  it.each(['status', 'payout', 'payoutV4'] as const)('is named before %s is sent, with the usual cause', async name => {
    const client = createClient(base)
    const field = name === 'payoutV4' ? 'privateKey' : 'controlKey'
    const call = name === 'status' ? client.status({ clientOrderId: 'o-1' }) : client[name](payout)
    await expect(call).rejects.toMatchObject({ code: 'ERR_INVALID_REQUEST', field })
    await expect(call).rejects.toThrow(`no "${field}". An environment variable that is not set is the usual cause.`)
  })
})
