/** Base string of 16 parameters, made on its own, against oauth-sign. */
import assert from 'node:assert/strict'
import { signatureBaseString } from '@tillkit/signing'
import oauthSign from 'oauth-sign'
import { measure } from '../measure.js'
import { runOthers } from '../other-signers.js'
import { address, parametersOf } from '../requests.js'

const url = new URL(address)
const parameters = parametersOf(16)
const object = Object.fromEntries(parameters)
const read = text => text.charCodeAt(text.length - 1)
const ours = () => signatureBaseString({ method: 'POST', url, parameters })
const peer = () => oauthSign.generateBase('POST', address, object)
assert.equal(ours(), peer())

await runOthers()
const { ratio, microseconds } = measure({ ours: () => read(ours()), peer: () => read(peer()) })

export const rows = [
  {
    name: 'Base string, 16 parameters',
    against: 'times as fast as oauth-sign',
    ratio: ratio('peer', 'ours'),
    microseconds,
  },
]
