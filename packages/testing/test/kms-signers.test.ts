/** The KMS signers printed in docs/kms.md, run against doubles that sign digests as those services do. */
import { constants, createPrivateKey, privateEncrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { importPublicKey, type Signer } from '@tillkit/signing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { esbuild } from '../../signing/test/esbuild.js'
import { signerConformance, testPrivateKey, testPublicKey } from '../src/index.js'

const page = readFileSync(new URL('../../../docs/kms.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(match => match[1] ?? '')

/** Loads the block of the page that declares `name`; its imports are of Node.js or of types. */
async function printed<Make>(name: string): Promise<Make> {
  const block = blocks.find(text => text.includes(`export const ${name} =`)) ?? ''
  const { code } = await esbuild.transform(block, { loader: 'ts', target: 'es2022' })
  const loaded = await import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
  return loaded[name]
}

/** SHA-256 as DER says it, RFC 8017 section 9.2, note 1. */
const prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex')
const privateKey = createPrivateKey(testPrivateKey)
const signDigest = (digest: Uint8Array): Buffer =>
  privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([prefix, digest]))

const publicKey = importPublicKey(testPublicKey)
const failed = new Error('out of reach')

describe('the signers of docs/kms.md', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('include one for AWS KMS that conforms', async () => {
    type Send = (command: { readonly Message: Uint8Array }) => Promise<{ Signature: Uint8Array }>
    const make = await printed<(keyId: string, send: Send) => Signer>('awsKmsSigner')
    const signer = make('key', async ({ Message }) => ({ Signature: signDigest(Message) }))
    const failing = make('key', () => Promise.reject(failed))
    expect(await signerConformance(signer, { publicKey, failing, concurrency: 4 })).toEqual([])
  })

  it('include one for Google Cloud KMS that conforms', async () => {
    type Reply = readonly [{ readonly signature: string | null }]
    type Sign = (request: { readonly digest: { readonly sha256: Uint8Array } }) => Promise<Reply>
    const make = await printed<(client: { asymmetricSign: Sign }, name: string) => Signer>('googleKmsSigner')
    const asymmetricSign: Sign = async ({ digest }) => [{ signature: signDigest(digest.sha256).toString('base64') }]
    const failing = make({ asymmetricSign: async () => [{ signature: null }] }, 'name')
    expect(await signerConformance(make({ asymmetricSign }, 'name'), { publicKey, failing, concurrency: 4 })).toEqual(
      [],
    )
  })

  it('include one for HashiCorp Vault that conforms', async () => {
    const make = await printed<(options: { address: URL; token: string; key: string }) => Signer>('vaultSigner')
    vi.stubGlobal('fetch', async (address: URL, { body }: { readonly body: string }) => {
      if (!address.pathname.startsWith('/v1/transit/sign/good/sha2-256')) return new Response('', { status: 403 })
      const { input, prehashed, signature_algorithm: algorithm } = JSON.parse(body)
      expect([prehashed, algorithm]).toEqual([true, 'pkcs1v15'])
      const signature = `vault:v1:${signDigest(Buffer.from(input, 'base64')).toString('base64')}`
      return Response.json({ data: { signature } })
    })
    const address = new URL('https://vault.example')
    const failing = make({ address, token: 't', key: 'bad' })
    const signer = make({ address, token: 't', key: 'good' })
    expect(await signerConformance(signer, { publicKey, failing, concurrency: 4 })).toEqual([])
  })
})
