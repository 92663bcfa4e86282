/**
 * A key file in which one character was changed. OpenSSL takes some twenty milliseconds to sign with such a key.
 *
 * @module
 */
import { sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { InvalidKeyError, importPrivateKey } from '../src/index.js'

const read = (name: string): string => readFileSync(new URL(`vectors/${name}`, import.meta.url), 'utf8')

/** Defines one test: it changes one character after another, always `step` further on. */
export function damageCharacters({ step }: { readonly step: number }): void {
  it('refuses every key with a changed character that would sign what the public half does not verify', () => {
    const pem = read('rsa-test-key.pem')
    const publicPem = read('rsa-test-public.pem')
    const data = Buffer.from('base string')
    const verdicts = new Set<string>()
    for (let at = 40; at < pem.length - 40; at += step) {
      if (pem[at] === '\n') continue
      const damaged = pem.slice(0, at) + (pem[at] === 'A' ? 'B' : 'A') + pem.slice(at + 1)
      try {
        const signature = sign('sha256', data, importPrivateKey(damaged).key)
        verdicts.add(verify('sha256', data, publicPem, signature) ? 'harmless' : 'signs in vain')
      } catch (error) {
        verdicts.add(error instanceof InvalidKeyError ? 'refused' : String(error))
      }
    }
    // Some characters are of numbers that signing does not need, such as the fallback of a factor.
    expect([...verdicts].sort()).toEqual(['harmless', 'refused'])
  })
}
