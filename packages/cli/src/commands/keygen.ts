import { execFile } from 'node:child_process'
import { lstat, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describeValue } from '@tillkit/protocol'
import { importPublicKey, spokenFingerprint } from '@tillkit/signing'
import { type CommandLine, json, option } from '../command-line/command.js'
import { stopSignal, withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { columnsOf, wrapText } from '../command-line/wrap.js'
import { UsageError } from '../gateway/errors.js'

/** `tillkit keygen`: a pair of keys for RSA-SHA256. */
export function addKeygen(line: CommandLine, surroundings: Surroundings): void {
  const command = line.add(
    line.root,
    'keygen',
    {
      summary: 'Makes a pair of keys for operations signed with RSA-SHA256.',
      does:
        'Makes a pair of RSA keys, for operations that are signed with RSA-SHA256, such as payouts. ' +
        'The private key stays with you: only its owner can read its file. The public key goes to the gateway. ' +
        'A file that is there stays as it is.',
      examples: ['tillkit keygen', 'tillkit keygen --bits 4096 --private live.pem --public live.pub.pem'],
      ends: {
        done: 'Both files are written.',
        usage: 'An option is wrong, or a file cannot be written.',
        interrupted: 'You ended it with Ctrl+C. No key was written.',
      },
    },
    [
      option('--bits <number>', 'Length of the key, 2048 to 16384. Default: 2048.'),
      option('--private <file>', 'Where the private key goes. Default: private-key.pem.'),
      option('--public <file>', 'Where the public key goes. Default: public-key.pem.'),
      json('where the keys are, and the fingerprint,'),
    ],
  )
  command.runs(async options => {
    const bits = readBits(options.bits)
    const privatePath = await placeFor(options.private ?? 'private-key.pem', '--private')
    const publicPath = await placeFor(options.public ?? 'public-key.pem', '--public')
    if (privatePath === publicPath) throw new UsageError('--private and --public name the same file.')
    const asked = () => makePair(bits, stopSignal(surroundings))
    const left = () => 'No key was written.'
    const { privateKey, publicKey } = await withProgress(surroundings, `Making a key of ${bits} bits`, asked, left)
    await write([
      { path: publicPath, text: publicKey, mode: 0o644 },
      { path: privatePath, text: privateKey, mode: 0o600 },
    ])
    const { fingerprint } = importPublicKey(publicKey)
    const spoken = spokenFingerprint(fingerprint)
    surroundings.say(
      options.json === true
        ? `${JSON.stringify({ privateKeyFile: privatePath, publicKeyFile: publicPath, bits, fingerprint, spoken })}\n`
        : wrapText(describe({ privatePath, publicPath, bits, fingerprint, spoken }), columnsOf(surroundings.terminal)),
    )
    return 'done'
  })
}

function readBits(text = '2048'): number {
  const bits = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (bits >= 2048 && bits <= 16_384) return bits
  throw new UsageError(`--bits is ${describeValue(text)}; it must be a whole number from 2048 to 16384.`)
}

/** @returns Where a key goes. @throws {@link UsageError} where it cannot go there. */
async function placeFor(file: string, named: string): Promise<string> {
  if (file === '') throw new UsageError(`${named} is empty.`)
  const path = resolve(file)
  if (!(await stat(dirname(path)).catch(() => undefined))?.isDirectory()) {
    throw new UsageError(`${named}: there is no folder ${dirname(path)}. Nothing was written. Make the folder first.`)
  }
  // A link that leads nowhere is a file as well.
  const found = await lstat(path).catch(() => undefined)
  if (found?.isDirectory() === true) throw new UsageError(`${named}: ${path} is a folder. Name a file in it.`)
  if (found === undefined) return path
  throw new UsageError(`${named}: there is a file ${path} already. Nothing was written. Name another one.`)
}

/** Makes a pair in a process of its own: a long key takes minutes, and nothing else can break that off. */
async function makePair(bits: number, signal: AbortSignal) {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program, String(bits)], { signal })
  return JSON.parse(stdout) as { readonly privateKey: string; readonly publicKey: string }
}

const program = `const [, bits] = process.argv
const encoding = { privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } }
const pair = require('node:crypto').generateKeyPairSync('rsa', { modulusLength: Number(bits), ...encoding })
process.stdout.write(JSON.stringify(pair))`

interface KeyFile {
  readonly path: string
  readonly text: string
  readonly mode: number
}

/** Writes both keys, or none. */
async function write(keys: readonly KeyFile[]): Promise<void> {
  const written: string[] = []
  try {
    for (const { path, text, mode } of keys) {
      await writeFile(path, text, { mode, flag: 'wx' }).catch(error => cannotWrite(path, error))
      written.push(path)
    }
  } catch (error) {
    for (const path of written) await rm(path)
    throw error
  }
}

function cannotWrite(path: string, cause: NodeJS.ErrnoException): never {
  const { [cause.code ?? '']: why = () => cause.code } = reasons
  throw new UsageError(`Cannot write ${path}: ${why(dirname(path))}. Neither key was written.`, { cause })
}

const reasons: Readonly<Record<string, (folder: string) => string | undefined>> = {
  EACCES: folder => `you may not write to the folder ${folder}`,
  EPERM: folder => `you may not write to the folder ${folder}`,
  EROFS: folder => `the folder ${folder} is on a disk that can only be read`,
  EISDIR: () => 'it is a folder. Name a file in it',
  EEXIST: () => 'there is a file already, or both options name the same file',
  ENOTDIR: folder => `${folder} is a file, and no folder`,
  ENOSPC: () => 'the disk is full',
}

interface Made {
  readonly privatePath: string
  readonly publicPath: string
  readonly bits: number
  readonly fingerprint: string
  readonly spoken: string
}

const howToKeep =
  'Only you can read this file. Keep it so, and out of your repository. Name it to the command with --private-key-file. ' +
  'Your program reads it with clientOptionsFromEnv(), which takes the file that TILLKIT_PRIVATE_KEY_FILE names. ' +
  'Or it gives the text of the file as "privateKey": of createClient, or of "account" of createTill. ' +
  'Make another pair for production.'

const describe = ({ privatePath, publicPath, bits, fingerprint, spoken }: Made): string => `RSA key pair, ${bits} bits.

Private key  ${privatePath}
  ${howToKeep}

Public key   ${publicPath}
  Send it to the gateway's support contact. To "tillkit gateway" give it as "publicKeyFile" of a merchant in its config file.

Fingerprint of the public key, to compare over the phone:
  ${fingerprint}
  ${spoken.replace(/((?:\S+ ){7}\S+) /g, '$1\n  ')}
`
