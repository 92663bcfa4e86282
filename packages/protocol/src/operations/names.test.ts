import { expect, it } from 'vitest'
import { operationInWords, stageNames } from './names.js'
import { awaitedStages, moneyMoved } from './stages.js'

it.each([
  ['return', 'a return'],
  ['saleForm', 'the hosted form of a sale'],
  ['status', 'the operation status'],
  ['constructor', 'the operation constructor'],
])('calls the operation %s %s', (operation, words) => {
  expect(operationInWords(operation)).toBe(words)
})

it('has words for every stage', () => {
  expect(awaitedStages.filter(stage => !stageNames[stage])).toEqual([])
})

// Interface specification, section 4: which transaction moves money, and which way.
it.each([
  ['sale', 'captured'],
  ['preauth', 'held'],
  ['reversal', 'returned'],
  ['payout', 'sent'],
  ['unrecognized', 'unknown'],
] as const)('says what an approved %s did to money: %s', (stage, moved) => {
  expect(moneyMoved(stage)).toBe(moved)
})
