import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { controlItems, controlValue } from '@tillkit/signing'

// Published worked example, see packages/signing/test/vectors.
const items = { endpointId: '1111', clientOrderId: '902B4FF5', amount: '1042', email: 'john.smith@gmail.com' }
const value = controlValue(controlItems.sale, items, 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20')
assert.equal(value, 'c6bdd88a78834ef4b863b088827a459f039e8257')
assert.deepEqual(
  readdirSync('node_modules').filter(name => !name.startsWith('.')),
  ['@tillkit'],
)
assert.deepEqual(readdirSync('node_modules/@tillkit'), ['signing'])
