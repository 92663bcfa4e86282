/** The private key of the fake gateway, read once: reading it for each client takes longer than most tests. */
import { createPrivateKey } from 'node:crypto'
import { testPrivateKey } from '@tillkit/testing'

export const testKey = createPrivateKey(testPrivateKey)
