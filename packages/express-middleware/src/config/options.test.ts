import { describe, expect, it } from 'vitest'
import { customerReturn, redirectToHostedForm, verifyCallback } from '../index.js'

/** As a JavaScript user may write it. */
const misspelt = (options: object) => options as never

describe('the factories', () => {
  it.each([
    [
      () => verifyCallback(misspelt({ controlKey: 'key' })),
      'verifyCallback has no option "controlKey". Did you mean "controlKeys"?',
    ],
    [() => redirectToHostedForm(misspelt({ redirectHost: [] })), 'redirectToHostedForm has no option "redirectHost"'],
    [() => customerReturn(misspelt({ stateSecret: '' })), 'customerReturn has no option "stateSecret"'],
    [
      () => verifyCallback(misspelt('key' as never)),
      'verifyCallback needs an object with options. It has: controlKeys, ',
    ],
  ])('name an option that does not exist, and those that do: %s', (make, text) => {
    expect(make).toThrow(text)
    expect(make).toThrow(TypeError)
  })
})
