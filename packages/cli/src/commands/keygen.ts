import { randomUUID } from 'node:crypto'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describeValue } from '@tillkit/protocol'
import { generateKeyPair, spokenFingerprint } from '@tillkit/signing'
import { type CommandLine, json, option } from '../command-line/command.js'
import { withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { UsageError } from '../gateway/errors.js'

interface KeygenOptions {
  readonly bits?: string
  readonly private?: string
  readonly public?: string
  readonly force?: true
  readonly json?: true
}

/** `tillkit keygen`: a pair of keys for RSA-SHA256. */
export function addKeygen(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'keygen',
    {
      summary: 'Makes a pair of keys for operations signed with RSA-SHA256.',
      does: 'Makes a pair of RSA keys, for operations that are signed with RSA-SHA256, such as payouts. The private key stays with you: only its owner can read its file. The public key goes to the gateway. No file is written over.',
      examples: [
        'tillkit keygen',
        'tillkit keygen --bits 4096 --private keys/live.pem \\\n  --public keys/live.pub.pem',
      ],
      ends: { done: 'Both files are written.', usage: 'An option is wrong, or a file cannot be written.' },
    },
    [
      option('--bits <number>', 'Length of the key, 2048 to 16384. Default: 2048.'),
      option('--private <file>', 'Where the private key goes. Default: private-key.pem.'),
      option('--public <file>', 'Where the public key goes. Default: public-key.pem.'),
      option('--force', 'Writes over files that are there. A key that was in one is lost.'),
      json('where the keys are, and the fingerprint,'),
    ],
  )
  command.runs<KeygenOptions>(async options => {
    const { private: privateFile = 'private-key.pem', public: publicFile = 'public-key.pem', force = false } = options
    const bits = readBits(options.bits)
    const [privatePath, publicPath] = [resolve(privateFile), resolve(publicFile)]
    if (privatePath === publicPath) throw new UsageError('--private and --public name the same file.')
    if (!force) {
      await refuseExisting(privatePath, '--private')
      await refuseExisting(publicPath, '--public')
    }
    const { privateKey, publicKey, fingerprint } = await withProgress(
      surroundings,
      () => 'Making the keys',
      async () => generateKeyPair({ bits }),
    )
    await writeKey(privatePath, privateKey, { mode: 0o600, force })
    await writeKey(publicPath, publicKey, { mode: 0o644, force })
    const spoken = spokenFingerprint(fingerprint)
    surroundings.say(
      options.json === true
        ? `${JSON.stringify({ privateKeyFile: privatePath, publicKeyFile: publicPath, bits, fingerprint, spoken })}\n`
        : describe({ privatePath, publicPath, bits, fingerprint, spoken }),
    )
    return 'done'
  })
}

function readBits(text = '2048'): number {
  const bits = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (bits >= 2048 && bits <= 16_384) return bits
  throw new UsageError(`--bits is ${describeValue(text)}; it must be a whole number from 2048 to 16384.`)
}

async function refuseExisting(path: string, named: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  throw new UsageError(
    `${named}: there is a file ${path} already. Nothing was written. Name another one, or give --force.`,
  )
}

/** Writes a file that is whole at once, with the mode of a new one: writing over an old one would keep who may read it. */
async function writeKey(
  path: string,
  text: string,
  { mode, force }: { readonly mode: number; readonly force: boolean },
): Promise<void> {
  try {
    if (!force) return await writeFile(path, text, { mode, flag: 'wx' })
    const beside = `${path}.${randomUUID()}`
    await writeFile(beside, text, { mode, flag: 'wx' })
    await rename(beside, path).catch(async error => {
      await rm(beside, { force: true })
      throw error
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    const why = code === 'ENOENT' ? 'its folder is not there' : code === 'EACCES' ? 'you may not write there' : code
    throw new UsageError(`Cannot write ${path}: ${why}.`, { cause: error })
  }
}

interface Made {
  readonly privatePath: string
  readonly publicPath: string
  readonly bits: number
  readonly fingerprint: string
  readonly spoken: string
}

const describe = ({ privatePath, publicPath, bits, fingerprint, spoken }: Made): string => `RSA key pair, ${bits} bits.

Private key  ${privatePath}
  Only you can read this file. Keep it so, and out of your repository. Name it
  to the command with --private-key-file, to your program with
  TILLKIT_PRIVATE_KEY_FILE. Make another pair for production.

Public key   ${publicPath}
  Send it to the gateway's support contact.

Fingerprint of the public key, to compare over the phone:
  ${fingerprint}
  ${spoken.replace(/((?:\S+ ){7}\S+) /g, '$1\n  ')}
`
