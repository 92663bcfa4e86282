/** docs/signature-differs.md names every mistake that may be found, and its first example runs; so does the verifying of docs/signing.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import * as explaining from '../src/explain/index.js'
import * as signing from '../src/index.js'
import { commonJs } from './esbuild.js'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const page = read('../../../docs/signature-differs.md')

/** Names in the second column of the table that follows a heading line. */
function namesAfter(line: string): string[] {
  const table = page.slice(page.indexOf(line)).split('\n\n')[1] ?? ''
  const rows = table.split('\n').slice(2)
  return rows.flatMap(row => [...(row.split('|')[2] ?? '').matchAll(/`([a-z0-9-]+)`/g)].map(([, name = '']) => name))
}

/** Names that the sources of an explanation write, in the tables and besides them. */
function namesIn(isControl: boolean): string[] {
  const directory = new URL('../src/explain/', import.meta.url)
  const files = readdirSync(directory, { encoding: 'utf8', recursive: true }).filter(
    name => /(?<!\.test)\.ts$/.test(name) && /^control[-.]/.test(name) === isControl,
  )
  return files
    .flatMap(name => [...read(`../src/explain/${name}`).matchAll(/mistake: ('[a-z0-9-]+'( \| '[a-z0-9-]+')*)/g)])
    .flatMap(([, names = '']) => names.split(' | ').map(name => name.slice(1, -1)))
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort()

describe('the mistakes of a control value', () => {
  const documented = namesAfter('Names you may find in `explanation.mistake` of a control value:')

  it('are documented, each once', () => {
    expect(documented.toSorted()).toEqual(distinct(namesIn(true)))
  })
})

describe('the mistakes of a signature', () => {
  const documented = namesAfter('Names you may find in `explanation.mistake` of an OAuth signature:')

  it('are documented, each once', () => {
    expect(documented.toSorted()).toEqual(distinct(namesIn(false)))
  })
})

interface Received {
  readonly authorization: string | undefined
  readonly body: string
  readonly now: number
}
type VerifyTransfer = (
  received: Received,
  publicPems: { readonly current: string; readonly previous: string },
) => Promise<signing.AuthorizationVerification>

/** Runs the first block of a page that has a text; it imports this package only. @returns What it exports. */
async function runBlock<Exported>(markdown: string, with_: string): Promise<Exported> {
  const block =
    [...markdown.matchAll(/^```ts\n([\s\S]*?)^```/gm)].find(([, text = '']) => text.includes(with_))?.[1] ?? ''
  const module = { exports: {} as Exported }
  const packages = { '@tillkit/signing': signing, '@tillkit/signing/explain': explaining }
  const body = await commonJs(block)
  compileFunction(body, ['require', 'module'])((name: keyof typeof packages) => packages[name], module)
  return module.exports
}

describe('the example of a control value that differs', () => {
  it('names the mistake and never the key', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    try {
      await runBlock(page, 'explainControl({')
      expect(log.mock.calls[0]).toEqual([false, 'amount-form'])
      expect(log.mock.calls[1]?.[0]).toContain('amount')
      expect(log.mock.calls[1]?.[0]).not.toContain('B17F59B4')
    } finally {
      log.mockRestore()
    }
  })
})

describe('the example of verifying an RSA signature', async () => {
  const { verifyTransfer } = await runBlock<{ verifyTransfer: VerifyTransfer }>(
    read('../../../docs/signing.md'),
    ' verifyTransfer(',
  )
  const previous = read('vectors/rsa-test-public.pem')
  const merchant = signing.importPrivateKey(read('vectors/rsa-test-key.pem'))
  const current = read('vectors/rsa-other-public.pem')
  const parameters = [['client-order-id', 'transfer-1']] as const
  const body = 'client-order-id=transfer-1'
  const now = 1_669_966_913
  const sign = (signer: signing.SynchronousSigner) =>
    signing.createRequestSigner({ consumerKey: 'merchant-1', signer }).header({
      url: new URL('https://gate.example/paynet/api/v4/transfer/39'),
      parameters,
      timestamp: now,
      nonce: 'n-1',
    })

  it('accepts what the previous key signed, and names it', async () => {
    const authorization = await sign(signing.rsaSha256Signer(merchant))
    const verdict = await verifyTransfer({ authorization, body, now }, { current, previous })
    expect(verdict).toMatchObject({ kind: 'verified', keyLabel: 'previous', consumerKey: 'merchant-1', nonce: 'n-1' })
  })

  it('refuses another body, an old request and another scheme', async () => {
    const authorization = await sign(signing.rsaSha256Signer(merchant))
    const other = await sign(signing.hmacSha1Signer({ consumerSecret: 'key' }))
    const verdicts = await Promise.all(
      [
        { authorization, body: `${body}2`, now },
        { authorization, body, now: now + 301 },
        { authorization: other, body, now },
        { authorization: undefined, body, now },
      ].map(received => verifyTransfer(received, { current, previous })),
    )
    expect(verdicts.map(verdict => verdict.kind === 'refused' && verdict.reason)).toEqual([
      'mismatch',
      'stale-timestamp',
      'unsupported-method',
      'missing-header',
    ])
  })
})
