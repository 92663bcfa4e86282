import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { otherPrivateKey, otherPublicKey } from '../../test/other-keys.js'
import { settingsOf } from './merchant.js'
import { readSettings } from './read-settings.js'

const ours = { baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'ours', controlKey: 'key-of-ours' }
const settings = readSettings({ ...ours, profile: defaultProfile })
const pair = { privateKey: otherPrivateKey, publicKey: otherPublicKey }

describe('settingsOf', () => {
  it('parses the keys of a merchant once for each object', () => {
    const merchant = { login: 'theirs', endpointId: 40, privateKey: pair.privateKey }
    const first = settingsOf(merchant, settings)
    expect(settingsOf(merchant, settings)).toBe(first)
    expect(settingsOf({ ...merchant }, settings)).not.toBe(first)
  })

  it('takes login and keys from the merchant alone, everything else from the client', () => {
    const read = settingsOf({ login: 'theirs', endpointId: 40 }, settings).settings
    expect(read).toEqual({
      ...settings,
      login: 'theirs',
      controlKey: undefined,
      privateKey: undefined,
      endpoint: { id: '40', isGroup: false },
    })
  })
})
