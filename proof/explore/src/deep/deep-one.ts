/**
 * A process that walks through the worlds in which two causes meet, or takes a random way, as it is told.
 *
 * @module
 */
import type { Explored } from '../walk/explorer.js'
import { allPairs, families } from './all.js'
import { type Way, wayOf } from './family.js'

export type Asked =
  /** @property place The pair, by its place in the list. */
  | { readonly kind: 'pair'; readonly place: number; readonly most: number }
  | { readonly kind: 'way'; readonly seed: number }

export type Answer =
  | { readonly kind: 'pair'; readonly explored: Explored }
  | { readonly kind: 'way'; readonly way: Way }

const answerTo = (asked: Asked): Answer => {
  if (asked.kind === 'way') return { kind: 'way', way: wayOf(families, asked.seed) }
  const pair = allPairs[asked.place]
  if (pair === undefined) throw new Error(`There is no pair ${asked.place}.`)
  return { kind: 'pair', explored: pair.walk(asked.most) }
}

process.on('message', (asked: Asked) => {
  process.send?.(answerTo(asked))
})
