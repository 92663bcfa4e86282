import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { controlItems, controlValue, InvalidInputError } from '@tillkit/signing'
import { explainControl, explainSignature } from '@tillkit/signing/explain'

// Published worked example, see packages/signing/test/vectors.
const items = { endpointId: '1111', clientOrderId: '902B4FF5', amount: '1042', email: 'john.smith@gmail.com' }
const value = controlValue(controlItems.sale, items, 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20')
assert.equal(value, 'c6bdd88a78834ef4b863b088827a459f039e8257')

// The value over the amount in major units, from openssl sha1.
const expected = '7e8e939c8ac1516ba5e1d142ef14147800dfec6f'
const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const explained = explainControl({ items: controlItems.sale, values: items, controlKey, expected })
assert.equal(explained.explanation.mistake, 'amount-form')
// Both entries raise the same errors, not two copies of them.
const garbled = { method: 'POST', url: new URL('https://gate.example/'), parameters: [], authorization: 'Basic' }
assert.throws(() => explainSignature(garbled), InvalidInputError)

assert.deepEqual(
  readdirSync('node_modules').filter(name => !name.startsWith('.')),
  ['@tillkit'],
)
assert.deepEqual(readdirSync('node_modules/@tillkit'), ['signing'])
