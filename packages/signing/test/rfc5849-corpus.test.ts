/** RFC 5849 section 3.4.1, case by case; vectors/make-rfc5849-corpus.py made the expected values. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  baseStringUri,
  decodeForm,
  normalizeParameters,
  type Parameter,
  parseAuthorizationHeader,
  signatureBaseString,
} from '../src/index.js'

interface CorpusCase {
  readonly name: string
  readonly section: string
  readonly input: { method: string; url: string; form: string; pairs: readonly Parameter[]; header: string }
  readonly expected: { parameters: string; uri: string; baseString: string }
}

const corpus: readonly CorpusCase[] = JSON.parse(readFileSync(new URL('rfc5849-corpus.json', import.meta.url), 'utf8'))

describe.each([...new Set(corpus.map(({ section }) => section))])('RFC 5849 section %s', current => {
  it.each(corpus.filter(({ section }) => section === current))('$name', ({ input, expected }) => {
    const url = new URL(input.url)
    const protocol = parseAuthorizationHeader(input.header)?.parameters ?? []
    const parameters = [...decodeForm(input.form), ...input.pairs, ...protocol]
    const baseString = signatureBaseString({ method: input.method, url, parameters })
    const made = { parameters: normalizeParameters(url, parameters), uri: baseStringUri(url), baseString }
    expect(made).toEqual(expected)
  })
})
