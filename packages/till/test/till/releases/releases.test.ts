/**
 * Two releases on one store: what an earlier one wrote is gone on with, what a later one added is kept, and what only a later one
 * understands is left alone. All scenes of the latter are in the file beside this one.
 */

import { describe, expect, it } from 'vitest'
import { entryOf } from '../../../src/rules/kept/entry.js'
import { documentOf, ends, keepsWhatWasAdded, leavesLaterVersionsAlone, takeOver, written } from './releases-cases.js'
import { scenes } from './scenes.js'

describe('what an earlier release wrote', () => {
  it('is written of every scene', () => {
    expect(Object.keys(written)).toEqual(Object.keys(scenes))
    expect(Object.keys(ends)).toEqual(Object.keys(scenes))
  })

  it.each(Object.entries(ends))('is gone on with: %s', async (reference, { goesOn, books, told }) => {
    const taken = await takeOver(reference)
    await goesOn(taken)
    expect(await taken.states()).toEqual(books)
    expect(taken.told).toEqual(told)
  })
})

keepsWhatWasAdded(['declined', 'partly', 'checked'])

leavesLaterVersionsAlone(['open', 'partly'])

it('reads what it writes today', () => {
  for (const history of Object.values(written)) {
    const document = documentOf(history)
    expect(documentOf(JSON.parse(entryOf(document).body))).toEqual(document)
  }
})
