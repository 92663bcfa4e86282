/** `tillkit keygen`. OpenSSL, which Node.js carries, says whether keys are keys. */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runInProcess } from './run-in-process.js'
import { runToEnd } from './start-command.js'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'tillkit keygen '))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

/** Makes keys in the folder of the test, with files as they are named there. */
function keygen(...words: readonly string[]) {
  const isFile = (option = '') => option === '--private' || option === '--public'
  const seenFromHere = words.map((word, at) => (isFile(words[at - 1]) && word !== '' ? `${cwd}/${word}` : word))
  const others = ['private', 'public'].filter(name => !words.includes(`--${name}`))
  const usual = others.flatMap(name => [`--${name}`, join(cwd, `${name}-key.pem`)])
  return runToEnd(['keygen', ...seenFromHere, ...usual])
}

const privateKey = async (file: string) => createPrivateKey(await readFile(join(cwd, file), 'utf8'))
const bitsOf = async (file: string) => (await privateKey(file)).asymmetricKeyDetails?.modulusLength
const modeOf = async (file: string): Promise<number> => (await stat(join(cwd, file))).mode & 0o777

it('makes a pair that OpenSSL takes, the private key for its owner only', async () => {
  const { code, stdout, stderr } = await keygen()
  expect([code, stderr]).toEqual([0, ''])
  expect(await bitsOf('private-key.pem')).toBe(2048)
  const publicKey = createPublicKey(await privateKey('private-key.pem'))
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  expect(await readFile(join(cwd, 'public-key.pem'), 'utf8')).toBe(pem)
  expect(await modeOf('private-key.pem')).toBe(0o600)
  const der = publicKey.export({ type: 'spki', format: 'der' })
  expect(stdout).toContain(`SHA256:${createHash('sha256').update(der).digest('base64')}`)
  for (const file of ['private-key.pem', 'public-key.pem']) expect(stdout).toContain(join(cwd, file))
  expect(stdout).toContain('"publicKeyFile"')
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'with clientOptionsFromEnv(), which takes the file that TILLKIT_PRIVATE_KEY_FILE names',
  )
  expect(stdout).not.toContain('PRIVATE KEY')
  for (const line of stdout.split('\n').filter(each => !each.includes(cwd))) expect(line.length).toBeLessThanOrEqual(80)
})

it('tells a program as JSON, of a longer key', async () => {
  const { code, stdout } = await keygen(...['--bits', '2056', '--private', 'a.pem', '--public', 'b.pem', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    privateKeyFile: join(cwd, 'a.pem'),
    publicKeyFile: join(cwd, 'b.pem'),
    bits: 2056,
  })
  expect(await bitsOf('a.pem')).toBe(2056)
  expect(await modeOf('a.pem')).toBe(0o600)
})

it.each(['private-key.pem', 'public-key.pem'])('does not write over %s, and writes nothing then', async file => {
  await writeFile(join(cwd, file), 'mine')
  const { code, stdout, stderr } = await keygen()
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`there is a file ${join(cwd, file)} already. Nothing was written.`)
  expect(await readFile(join(cwd, file), 'utf8')).toBe('mine')
  const other = file === 'private-key.pem' ? 'public-key.pem' : 'private-key.pem'
  await expect(stat(join(cwd, other))).rejects.toMatchObject({ code: 'ENOENT' })
})

it.each([
  [['--bits', '1024'], '--bits is "1024"; it must be a whole number from 2048 to 16384.'],
  [['--bits', '2k'], '--bits is "2k"'],
  [['--private', 'x', '--public', './x'], 'the same file'],
  [['--private', 'none/x.pem'], 'there is no folder'],
  [['--private', ''], '--private is empty.'],
  [['--private', '.'], 'is a folder. Name a file in it.'],
])('refuses %j', async (words, text) => {
  const { code, stderr } = await keygen(...words)
  expect(code).toBe(2)
  expect(stderr).toContain(text)
})

it.each([
  ['the folder of the public key is missing', ['--private', 'a.pem', '--public', 'none/b.pem'], 'there is no folder'],
  ['the public key would be a folder', ['--private', 'a.pem', '--public', '.'], 'is a folder'],
  ['both are one file by two names', ['--private', 'a.pem', '--public', 'link/a.pem'], 'the same file'],
  ['the public file is a link that leads nowhere', ['--private', 'a.pem', '--public', 'dangling'], 'there is a file'],
])('writes neither key where %s', async (_what, words, text) => {
  await symlink('.', join(cwd, 'link'))
  await symlink('nowhere', join(cwd, 'dangling'))
  const before = await readdir(cwd)
  const { code, stdout, stderr } = await keygen(...words)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(text)
  expect(await readdir(cwd)).toEqual(before)
})

it('is ended by Ctrl+C while it makes a key, and writes nothing', async () => {
  const words = ['keygen', '--private', join(cwd, 'a.pem'), '--public', join(cwd, 'b.pem')]
  const stopped = Promise.resolve()
  expect(await runInProcess(words, { stopped })).toEqual({
    code: 130,
    said: '',
    complaint: 'tillkit: Stopped. No key was written.\n',
  })
  expect(await readdir(cwd)).toEqual([])
})
