import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { FakeGateway } from '@tillkit/testing'

const keys = new Map<string, KeyObject>()

/** The account of a till at the gateway, with a private key that was read before: reading PEM takes longer than most tests do. */
export function readyAccount({ clientOptions }: Pick<FakeGateway, 'clientOptions'>) {
  const { privateKey: text } = clientOptions
  const privateKey = keys.get(text) ?? createPrivateKey(text)
  keys.set(text, privateKey)
  return { ...clientOptions, privateKey }
}
