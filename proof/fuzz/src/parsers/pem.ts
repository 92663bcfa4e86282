/**
 * Key files: PEM text, DER bytes, and JSON Web Keys.
 *
 * @module
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { InvalidKeyError, importPrivateKey, importPublicKey, type KeyMaterial } from '@tillkit/signing'
import { testPrivateKey, testPublicKey } from '@tillkit/testing'
import fc from 'fast-check'
import { alteredJson, asJson, repeated } from '../inputs.js'
import { attempt, type Parser, printed, promise, secret } from '../parser.js'

const [privateKey, publicKey] = [createPrivateKey(testPrivateKey), createPublicKey(testPublicKey)]

/** Every form in which a key comes. */
const files: readonly (string | Buffer)[] = [
  testPrivateKey,
  testPublicKey,
  privateKey.export({ type: 'pkcs1', format: 'pem' }),
  privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: secret }),
  privateKey.export({ type: 'pkcs8', format: 'der' }),
  publicKey.export({ type: 'spki', format: 'der' }),
  publicKey.export({ type: 'pkcs1', format: 'pem' }),
  testPrivateKey.replaceAll('\n', '\\n'),
  testPrivateKey.replaceAll('\n', ' '),
  Buffer.from(testPrivateKey).toString('base64'),
  testPrivateKey.replaceAll('\n', '\r\n'),
  `Bag Attributes\n${testPrivateKey}${testPublicKey}`,
]
const jwks = [privateKey.export({ format: 'jwk' }), publicKey.export({ format: 'jwk' })]

/** How a key may be handed over that a file holds. */
function* materialsIn(input: Buffer): Iterable<KeyMaterial> {
  yield input
  const text = input.toString('utf8')
  yield text
  const jwk = jsonIn(text)
  if (typeof jwk === 'object' && jwk !== null) yield jwk as KeyMaterial
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Any 24 characters in a row of what may be key material. */
const piecesOf = (input: Buffer): readonly string[] =>
  [...input.toString('latin1').matchAll(/[A-Za-z0-9+/_-]{32,}/g)].slice(0, 100).map(([line]) => line.slice(0, 24))

const isDocumented = (error: unknown): boolean => error instanceof InvalidKeyError

async function examine(input: Buffer): Promise<void> {
  const pieces = piecesOf(input).filter(each => !/^(.)\1*$/.test(each))
  const quietly = async <Key>(read: () => Key): Promise<Key | undefined> =>
    attempt(read, error => {
      const text = printed(error)
      const shown = pieces.find(piece => text.includes(piece))
      promise(shown === undefined, 'shows key material', { shown, text })
      return isDocumented(error)
    })
  for (const material of materialsIn(input)) {
    const signing = await quietly(() => importPrivateKey(material, { passphrase: secret }))
    if (signing !== undefined) {
      promise(signing.bits >= 2048, 'takes a short key', signing.bits)
      const again = importPrivateKey(signing.key.export({ type: 'pkcs8', format: 'pem' }) as string)
      promise(again.fingerprint === signing.fingerprint, 'reads another key than it wrote')
      promise((await quietly(() => importPublicKey(material))) === undefined, 'takes a private key to verify')
      continue
    }
    const verifying = await quietly(() => importPublicKey(material))
    if (verifying === undefined) continue
    const again = importPublicKey(verifying.key.export({ type: 'spki', format: 'pem' }) as string)
    promise(again.fingerprint === verifying.fingerprint, 'reads another key than it wrote')
  }
}

/** Key files of merchants and of the gateway. */
export const pem: Parser = {
  name: 'pem',
  written: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...files).map(file => Buffer.from(file)) },
    {
      weight: 1,
      arbitrary: asJson(alteredJson(fc.constantFrom<unknown>(...jwks), ['d', 'kty', 'n', 'e', 'p', 'k', 'crv', 'x'])),
    },
  ),
  tokens: [
    secret,
    '-----BEGIN ',
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----END ',
    '-----',
    'Proc-Type: 4,ENCRYPTED',
    'MII',
    '0\x82',
  ],
  examine,
  growing: {
    'one long line': repeated('A', { before: '-----BEGIN PRIVATE KEY-----\n', after: '\n-----END PRIVATE KEY-----\n' }),
    'beginnings without an end': repeated('-----BEGIN '),
    'blocks without an end': repeated('-----BEGIN PRIVATE KEY-----\n'),
    'blocks of nothing': repeated('-----BEGIN A-----\n-----END A-----\n'),
    'ends without a label': repeated('-----END ', { before: '-----BEGIN A-----\n' }),
    'spaces behind a label': repeated(' ', { before: '-----BEGIN A-----' }),
    'spaces before a label': repeated(' ', { after: '-----BEGIN A-----' }),
    'a long label': repeated('A', { before: '-----BEGIN ' }),
    'empty lines': repeated('\n', { before: '-----BEGIN A-----' }),
    'DER that says it is long': repeated('0\x82\xff\xff', { before: '0\x82' }),
  },
}
