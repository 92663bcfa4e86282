/** Every parser of bytes from outside, with what was ever wrong with it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { altered } from '../inputs.js'
import type { Parser } from '../parser.js'
import { authorization } from './authorization.js'
import { callbackBody, callbackQuery } from './callback.js'
import { curl } from './curl.js'
import { history } from './history.js'
import { pem } from './pem.js'
import { formReply, reply } from './reply.js'
import { gatewayConfig, profile, settings } from './settings.js'
import { state } from './state.js'

/** All parsers. */
export const parsers: readonly Parser[] = [
  reply,
  formReply,
  callbackQuery,
  callbackBody,
  authorization,
  pem,
  curl,
  state,
  history,
  settings,
  profile,
  gatewayConfig,
]

/** The folder of a parser's corpus. */
export const corpusOf = (name: string): URL => new URL(`../../corpus/${name}/`, import.meta.url)

/** Inputs that were kept, by the names of their files. */
export function kept(name: string): readonly (readonly [file: string, input: Buffer])[] {
  const folder = corpusOf(name)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .map(file => [file, readFileSync(new URL(file, folder))] as const)
}

/** Inputs of a parser: by its grammar, and those that were kept, with changes. */
export function inputsOf({ name, written, tokens }: Parser): fc.Arbitrary<Buffer> {
  const corpus = kept(name).map(([, input]) => input)
  const grown = corpus.length === 0 ? written : fc.oneof({ weight: 4, arbitrary: written }, fc.constantFrom(...corpus))
  return altered(grown, tokens)
}
