/**
 * Signs requests by hand with `@tillkit/signing`, so that no client is needed.
 *
 * @module
 */
import { operations, resolveSigning, wireName } from '@tillkit/protocol'
import {
  controlValue,
  createRequestSigner,
  encodeForm,
  hmacSha1Signer,
  importPrivateKey,
  type Parameter,
  type PrivateKey,
  rsaSha256Signer,
  toMinorUnits,
} from '@tillkit/signing'
import { request } from 'undici'
import type { FakeGateway } from '../src/index.js'

export type Row = (typeof operations)[keyof typeof operations]
export type Name = keyof typeof operations

export interface Prepared {
  url: URL
  headers: Record<string, string>
  parameters: Parameter[]
  /** What was signed, for the evidence that the gateway keeps. */
  evidence: { name: string; value: string }[]
}

export interface Answered {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** Values as text; numbers keep their digits. */
  reply: Record<string, string>
}

export const card = {
  creditCardNumber: '4444444444444448',
  cardPrintedName: 'ADA LOVELACE',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '123',
}

export const customer = { email: 'ada@shop.test', ipAddress: '127.0.0.1' }

let nonces = 0

/** Builds a signed request. Fields are named as in the request records. */
export async function prepare(gateway: FakeGateway, name: Name, fields: Record<string, string>): Promise<Prepared> {
  const { baseUrl, endpointId, login, controlKey, privateKey, profile, clock } = gateway.clientOptions
  const row = operations[name]
  const url = new URL(`${baseUrl.href}${row.path}/${endpointId}`)
  const all: Record<string, string> = profile.loginInBody.value.includes(row.name) ? { login, ...fields } : fields
  const parameters = Object.entries(all).map(
    ([field, value]): Parameter => [wireName(field, { operation: row, profile }) ?? field, value],
  )
  const headers: Record<string, string> = {
    accept: 'application/vnd.pay+json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const signing = resolveSigning(row as never, profile)
  if (signing.scheme !== 'control') {
    const signer =
      signing.scheme === 'oauth-hmac-sha1'
        ? hmacSha1Signer({ consumerSecret: controlKey, keyEncoding: profile.hmacKeyEncoding.value })
        : rsaSha256Signer(imported(privateKey))
    nonces += 1
    headers.authorization = await createRequestSigner({ consumerKey: login, signer }).header({
      url,
      parameters,
      timestamp: Math.floor(clock() / 1000),
      nonce: `nonce-${nonces}`,
    })
    return { url, headers, parameters, evidence: [] }
  }
  const evidence = signing.items.map(item => ({ name: item, value: itemValue(item, { ...all, endpointId, login }) }))
  const values = Object.fromEntries(evidence.map(({ name: item, value }) => [item, value]))
  parameters.push(['control', controlValue(signing.items, values, controlKey)])
  return { url, headers, parameters, evidence }
}

/** Keys that were imported: importing one signs and verifies, and the tests use two. */
const keys = new Map<string, PrivateKey>()

function imported(pem: string): PrivateKey {
  const key = keys.get(pem) ?? importPrivateKey(pem)
  keys.set(pem, key)
  return key
}

function itemValue(item: string, all: Record<string, string>): string {
  if (item === 'amount' && all.amount !== undefined) return toMinorUnits(all.amount, all.currency ?? '')
  return all[item] ?? ''
}

/** Sends a request as it is. */
export async function send(gateway: FakeGateway, { url, headers, parameters }: Prepared): Promise<Answered> {
  const { dispatcher } = gateway.clientOptions
  const answer = await request(url, {
    method: 'POST',
    headers,
    body: encodeForm(parameters),
    ...(dispatcher === undefined ? {} : { dispatcher }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, headers: answer.headers, text, reply: readReply(text) }
}

/** Numbers are put in quotes before parsing, or their digits would be lost. */
export function readReply(text: string): Record<string, string> {
  try {
    return JSON.parse(text.replace(/:(\d+)(?=[,}])/g, ':"$1"')) as Record<string, string>
  } catch {
    return {}
  }
}

/** Signs and sends. */
export const call = async (gateway: FakeGateway, name: Name, fields: Record<string, string>): Promise<Answered> =>
  send(gateway, await prepare(gateway, name, fields))

/** A sale or preauth by card. */
export const pay = (gateway: FakeGateway, name: 'sale' | 'preauth', fields: Record<string, string>) =>
  call(gateway, name, { amount: '10.00', currency: 'EUR', ...customer, ...card, ...fields })
