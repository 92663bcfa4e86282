/** What must and must not compile. Checked by `tsc`; nothing here runs. */
import { explainControl } from '../src/explain/index.js'
import {
  type AnySigningError,
  type ControlVerification,
  controlItems,
  controlValue,
  toMinorUnits,
  verifyControlValue,
} from '../src/index.js'

const sale = { endpointId: '39', clientOrderId: 'o', amount: '1000', email: 'a@b.c' }

controlValue(controlItems.sale, sale, 'k') satisfies string
controlValue(['walletId'], { walletId: '7' }, 'k', { encoding: 'base64' }) satisfies string

// @ts-expect-error a misspelt item
controlValue(controlItems.sale, { endpointId: '39', clientOrderID: 'o', amount: '1000', email: 'a@b.c' }, 'k')

// @ts-expect-error a missing item
controlValue(controlItems.status, { login: 'm', clientOrderId: 'o' }, 'k')

// @ts-expect-error an amount that is a number
controlValue(controlItems.sale, { ...sale, amount: 1000 }, 'k')

// @ts-expect-error an operation that is not in the table
controlItems.charge

// @ts-expect-error the table is read-only
controlItems.sale = ['endpointId']

// @ts-expect-error an encoding that does not exist
controlValue(controlItems.sale, sale, 'k', { encoding: 'hex' })

// @ts-expect-error values of another operation
verifyControlValue({ items: controlItems.callback, values: sale, received: '', controlKeys: 'k' })

// @ts-expect-error a candidate for an item that no operation has
explainControl({ items: controlItems.sale, values: sale, controlKey: 'k', candidates: { currancy: ['EUR'] } })

// @ts-expect-error an amount that is a number
toMinorUnits(10, 'EUR')

/** A verdict has to be narrowed before its key or reason can be read. */
export function labelOf(verdict: ControlVerification): string {
  // @ts-expect-error not known before narrowing
  void verdict.keyLabel
  return verdict.kind === 'verified' ? verdict.keyLabel : verdict.reason
}

/** `code` narrows an error to its class. */
export function fieldOf(error: AnySigningError): string | undefined {
  switch (error.code) {
    case 'ERR_INVALID_INPUT':
      return error.field
    case 'ERR_INVALID_KEY':
      return undefined
  }
}
