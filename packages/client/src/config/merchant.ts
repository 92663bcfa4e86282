import type { KeyObject } from 'node:crypto'
import { checkedLater, checkOptions, type OptionTable } from '@tillkit/protocol'
import { importPrivateKey, type PrivateKey, unseenProblem } from '@tillkit/signing'
import { unsetVariable } from '../errors/messages.js'
import { readEndpoint } from './addresses.js'
import { nodeCrypto, oncePer } from './lazy.js'
import type { Merchant } from './options.js'
import type { Endpoint, KnownMerchant, Settings } from './settings.js'

/** Checks a merchant's login and keys. No message holds key material. */
export function readCredentials(
  { login, controlKey, privateKey }: Merchant,
  environment: Settings['environment'],
): Pick<Settings, 'login' | 'controlKey' | 'privateKey'> {
  return {
    login: readText('login', login),
    controlKey: controlKey === undefined ? undefined : readText('controlKey', controlKey),
    privateKey: privateKey === undefined ? undefined : readPrivateKey(privateKey, environment),
  }
}

function readText(option: 'login' | 'controlKey', value: unknown): string {
  if (value === undefined || value === '') {
    throw new TypeError(`"${option}" is ${value === '' ? 'empty' : 'missing'}. ${unsetVariable}`)
  }
  // Not the value: it may be a key.
  if (typeof value !== 'string') throw new TypeError(`"${option}" is no text. Write it as a string.`)
  const mixedUp = mixUp(value)
  if (mixedUp !== undefined) throw new TypeError(`"${option}" is ${mixedUp}`)
  if (value !== value.trim()) {
    throw new TypeError(`"${option}" begins or ends with white space, probably a line break. Trim the setting.`)
  }
  const unseen = unseenProblem(value)
  if (unseen !== undefined) throw new TypeError(`"${option}" ${unseen}`)
  return value
}

/** What was put in place of a login or a control key, where it cannot be one; it completes "… is". */
function mixUp(value: string): string | undefined {
  if (value.includes('-----BEGIN ')) {
    return 'a key in PEM. An RSA key goes into "privateKey"; the control key is the short text that the gateway gave you.'
  }
  if (/^(?:undefined|null)$/.test(value.trim())) {
    return `the word ${value.trim()}: something that is not there was written as text. ${unsetVariable}`
  }
  return /^<[\w -]+>$/.test(value.trim())
    ? 'a placeholder in angle brackets, as documents write it. Put your own in its place.'
    : undefined
}

type GivenKey = NonNullable<Merchant['privateKey']>

function readPrivateKey(privateKey: GivenKey, environment: Settings['environment']): PrivateKey {
  if (privateKey === '') throw new TypeError(`"privateKey" is empty. ${unsetVariable}`)
  const key = importKey(privateKey)
  if (key.label !== undefined && key.label !== environment) {
    throw new TypeError(
      environment === undefined
        ? `"environment" is missing: "privateKey" is labelled ${key.label}, so say whether "baseUrl" is test or production.`
        : `"privateKey" is labelled ${key.label} and "environment" is ${environment}. Use the other key pair: they are separate.`,
    )
  }
  return key
}

/** A key is checked once, however many clients and calls use it: the check signs a text. */
const checked = oncePer((key: KeyObject) => importPrivateKey(key))

function importKey(key: GivenKey): PrivateKey {
  const { KeyObject } = nodeCrypto()
  try {
    if (typeof key === 'string') return importPrivateKey(key)
    if (key instanceof KeyObject) return checked(key)
    if (typeof key !== 'object' || key === null || !(key.key instanceof KeyObject)) {
      throw new TypeError('Pass PEM text, a KeyObject, or what importPrivateKey() returns.')
    }
    return key.label === undefined ? checked(key.key) : importPrivateKey(key.key, { label: key.label })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : ''
    throw new TypeError(`"privateKey" cannot be used. ${reason}`, { cause })
  }
}

const merchantTable: OptionTable<Merchant> = {
  endpointId: checkedLater,
  endpointGroupId: checkedLater,
  login: checkedLater,
  controlKey: checkedLater,
  privateKey: checkedLater,
}

/**
 * The settings of a call for `merchant`, see adr/0012. They are kept by object, so that a private key is read once; an object whose
 * properties have changed since is read anew.
 */
export function settingsOf(merchant: Merchant, settings: Settings): KnownMerchant {
  if (typeof merchant !== 'object' || merchant === null) throw new TypeError('It is no object with "login" and keys.')
  const known = settings.merchants.get(merchant)
  if (known !== undefined && isSame(known.from, merchant)) return known
  const from = { ...merchant }
  checkOptions('a merchant', from, merchantTable)
  const credentials = readCredentials(from, settings.environment)
  const endpoint = endpointOf(from)
  const read = {
    from,
    settings: { ...settings, ...credentials, endpoint: endpoint ?? settings.endpoint },
    lacksEndpoint: endpoint === undefined && credentials.login !== settings.login,
  }
  settings.merchants.set(merchant, read)
  return read
}

function endpointOf({ endpointId, endpointGroupId }: Merchant): Endpoint | undefined {
  if (endpointId === undefined && endpointGroupId === undefined) return undefined
  const endpoint = readEndpoint({ endpointId, endpointGroupId })
  if ('problem' in endpoint) throw new TypeError(endpoint.problem)
  return endpoint
}

const isSame = (before: Merchant, now: Merchant): boolean =>
  (Object.keys(merchantTable) as (keyof Merchant)[]).every(name => before[name] === now[name])
