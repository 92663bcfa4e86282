/**
 * Other signers of HMAC-SHA1 headers, which run in turn with ours: in a program with other code in it a function gets texts, lists
 * and callbacks of many shapes, and is slower than alone in its process. Some come from npm, the others are honest builders,
 * each in a way of its own. They sign forms without repeated names; their addresses have neither query nor default port.
 */
import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import querystring from 'node:querystring'
import { verifyAuthorization } from '@tillkit/signing'
import OAuth from 'oauth-1.0a'
import oauthSign from 'oauth-sign'
import { address, consumerKey, controlKey, parametersOf } from './requests.js'

const seconds = () => Math.floor(Date.now() / 1000)
const textKey = `${controlKey}&`
const keyObject = createSecretKey(textKey, 'utf8')
const base64 = text => createHmac('sha1', textKey).update(text).digest('base64')
const strict = text =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const protocol = () => ({
  oauth_consumer_key: consumerKey,
  oauth_nonce: randomUUID(),
  oauth_signature_method: 'HMAC-SHA1',
  oauth_timestamp: String(seconds()),
  oauth_version: '1.0',
})
const headerOf = (oauth, signature) =>
  `OAuth ${Object.entries({ ...oauth, oauth_signature: signature })
    .map(([name, value]) => `${name}="${strict(value)}"`)
    .join(', ')}`

const peer = new OAuth({
  consumer: { key: consumerKey, secret: controlKey },
  signature_method: 'HMAC-SHA1',
  hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
})

/** Each takes the form as an object and gives the value of a header. */
export const otherSigners = {
  'oauth-1.0a': data => peer.toHeader(peer.authorize({ url: address, method: 'POST', data })).Authorization,

  'oauth-sign': data => {
    const oauth = protocol()
    return headerOf(oauth, oauthSign.hmacsign('POST', address, { ...data, ...oauth }, controlKey, ''))
  },

  'lists of pairs': data => {
    const oauth = protocol()
    const parameters = [...Object.entries(data), ...Object.entries(oauth)]
      .map(pair => pair.map(strict))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(pair => pair.join('='))
    return headerOf(oauth, base64(['POST', address, parameters.join('&')].map(strict).join('&')))
  },

  'sorted keys of an object': data => {
    const oauth = protocol()
    const all = { ...data, ...oauth }
    let text = ''
    for (const name of Object.keys(all).sort()) text += `${text && '&'}${strict(name)}=${strict(all[name])}`
    return headerOf(oauth, base64(`POST&${strict(address)}&${strict(text)}`))
  },

  URLSearchParams: data => {
    const oauth = protocol()
    const all = new URLSearchParams({ ...data, ...oauth })
    all.sort()
    const text = all.toString().replaceAll('+', '%20').replaceAll('*', '%2A').replaceAll('%7E', '~')
    return headerOf(oauth, base64(`POST&${strict(address)}&${strict(text)}`))
  },

  querystring: data => {
    const oauth = protocol()
    const all = Object.fromEntries(Object.entries({ ...data, ...oauth }).sort(([a], [b]) => (a < b ? -1 : 1)))
    const text = querystring.stringify(all, '&', '=', { encodeURIComponent: strict })
    return headerOf(oauth, base64(`POST&${querystring.escape(address)}&${strict(text)}`))
  },

  'joined texts in a map': data => {
    const oauth = protocol()
    const texts = new Map(
      [...Object.entries(data), ...Object.entries(oauth)].map(([n, v]) => [strict(n), `${strict(n)}=${strict(v)}`]),
    )
    const sorted = Array.from(texts.keys()).sort()
    const text = sorted.reduce((joined, name) => (joined ? `${joined}&${texts.get(name)}` : texts.get(name)), '')
    return headerOf(oauth, base64(`POST&${strict(address)}&${strict(text)}`))
  },

  'bytes, one by one': data => {
    const oauth = protocol()
    const sorted = Object.entries({ ...data, ...oauth }).toSorted(([a], [b]) =>
      Buffer.compare(Buffer.from(a), Buffer.from(b)),
    )
    const inner = percentBytes(sorted.map(pair => pair.map(part => percentBytes(part)).join('=')).join('&'))
    const text = Buffer.from(`POST&${percentBytes(address)}&${inner}`, 'latin1')
    return headerOf(oauth, createHmac('sha1', Buffer.from(textKey)).update(text).digest().toString('base64'))
  },

  'a stream of pieces': data => {
    const oauth = protocol()
    const hmac = createHmac('sha1', keyObject)
    for (const piece of pieces({ ...data, ...oauth })) hmac.update(piece)
    return headerOf(oauth, hmac.digest('base64'))
  },

  'an object with state': data => {
    const builder = new Builder().add(Object.entries(data))
    const oauth = { ...protocol(), oauth_nonce: randomBytes(16).toString('hex') }
    return headerOf(oauth, builder.add(Object.entries(oauth)).signature)
  },
}

const hexadecimal = '0123456789ABCDEF'

function percentBytes(text) {
  let encoded = ''
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte)
    encoded += /[\w.~-]/.test(character) ? character : `%${hexadecimal[byte >> 4]}${hexadecimal[byte & 15]}`
  }
  return encoded
}

function* pieces(parameters) {
  yield `POST&${strict(address)}&`
  let separator = ''
  for (const name of Object.keys(parameters).sort()) {
    yield `${separator}${strict(strict(name))}%3D`
    yield strict(strict(parameters[name]))
    separator = '%26'
  }
}

class Builder {
  #pairs = []

  add(pairs) {
    for (const [name, value] of pairs) this.#pairs.push({ name: this.encode(name), value: this.encode(value) })
    return this
  }

  encode(text) {
    return text.replace(/[^A-Za-z0-9\-._~]/g, character =>
      [...Buffer.from(character)].map(byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    )
  }

  get signature() {
    const sorted = [...this.#pairs].sort((a, b) => (a.name < b.name ? -1 : 1))
    const text = sorted.map(({ name, value }) => `${name}=${value}`).join('&')
    return base64(`POST&${this.encode(address)}&${this.encode(text)}`)
  }
}

/** Runs each of them some thousand times over forms of several lengths, and throws unless each makes right signatures. */
export async function runOthers() {
  for (const count of [5, 16, 60]) {
    const parameters = Object.fromEntries(parametersOf(count))
    for (const [name, sign] of Object.entries(otherSigners)) {
      for (let turn = 0; turn < 1000; turn++) sign(parameters)
      const authorization = sign(parameters)
      const keys = { hmacSecrets: controlKey }
      const policy = { now: seconds(), windowSeconds: 60 }
      const request = { method: 'POST', url: new URL(address), parameters, authorization }
      const { explanation } = await verifyAuthorization({ ...request, keys, policy })
      if (explanation !== undefined) throw new Error(`${name}: ${explanation}`)
    }
  }
}
