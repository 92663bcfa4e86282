// Node.js itself finds subpaths by `exports`: what types.ts imports has to be there at run time too.
const assert = require('node:assert/strict')
const { vectors } = require('@tillkit/testing/vectors')

assert.equal(typeof require('@tillkit/express-middleware/core'), 'object')
assert.equal(typeof require('@tillkit/signing/explain').explainControl, 'function')
assert.equal(typeof require('@tillkit/testing/jest').gatewayMatchers, 'object')
assert.deepEqual(require('@tillkit/testing/vectors.json').vectors, vectors)
