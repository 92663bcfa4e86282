/** Base string of 16 parameters, against oauth-sign; and what it costs when the names were never seen before. */
import assert from 'node:assert/strict'
import { signatureBaseString } from '@tillkit/signing'
import oauthSign from 'oauth-sign'
import { measure } from '../measure.js'
import { address, parametersOf } from '../requests.js'

const url = new URL(address)
const parameters = parametersOf(16)
const object = Object.fromEntries(parameters)
const read = text => text.charCodeAt(text.length - 1)
const ours = () => signatureBaseString({ method: 'POST', url, parameters })
const peer = () => oauthSign.generateBase('POST', address, object)
assert.equal(ours(), peer())

// Far more lists of names than are remembered, in turn: each one is planned anew.
const unseen = Array.from({ length: 500 }, (_, index) =>
  parameters.map(([name, value], place) => [place === 15 ? `${name}_${index}` : name, value]),
)
const unseenObjects = unseen.map(list => Object.fromEntries(list))
let turn = 0
const next = list => list[++turn % list.length]

const seen = measure({ ours: () => read(ours()), peer: () => read(peer()) })
const missed = measure({
  ours: () => read(signatureBaseString({ method: 'POST', url, parameters: next(unseen) })),
  peer: () => read(oauthSign.generateBase('POST', address, next(unseenObjects))),
  seen: () => read(ours()),
})

export const rows = [
  {
    name: 'Base string, 16 parameters',
    against: 'times as fast as oauth-sign',
    ratio: seen.ratio('peer', 'ours'),
    atLeast: 3.8,
    microseconds: seen.microseconds,
  },
  {
    name: 'Base string, 16 parameters, names never seen before',
    against: 'times as fast as oauth-sign',
    ratio: missed.ratio('peer', 'ours'),
    microseconds: missed.microseconds,
  },
  {
    name: 'Base string, 16 parameters, names never seen before',
    against: 'times the time with names seen before',
    ratio: missed.ratio('ours', 'seen'),
    microseconds: missed.microseconds,
  },
]
