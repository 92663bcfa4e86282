/** Keeps the figures of campaigns: each in place of the last one of its parser. */
import { writeParts } from '../../../scripts/evidence/result.js'
import type { Campaign } from './campaign.js'

export function writeEvidence(
  campaigns: readonly Campaign[],
  { startedAt, seed }: { readonly startedAt: Date; readonly seed: number },
): void {
  const parts = Object.fromEntries(
    campaigns.map(({ parser, cases, seconds, slowest, broken }) => [
      parser,
      { cases, seconds, slowest, seed, broken: broken?.what },
    ]),
  )
  writeParts('fuzzing', {
    run: 'npm run fuzz',
    startedAt,
    parts,
    violationsOf: all =>
      Object.entries(all).flatMap(([parser, { broken }]) => (broken === undefined ? [] : [`${parser}: it ${broken}`])),
  })
}
