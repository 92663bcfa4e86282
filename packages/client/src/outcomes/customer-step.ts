import type { CustomerStep } from '@tillkit/protocol'
import { nodeCrypto } from '../config/lazy.js'

/**
 * Names a step, so that no customer is sent to the same one twice: replies repeat it.
 * A cascade may ask for the merchant's steps again, under another id; the gateway's own is followed once per order.
 */
export function stepName(step: CustomerStep): string {
  switch (step.kind) {
    case 'method':
      return `method ${step.threeDSServerTransId ?? ''}`
    case 'challenge':
      return `challenge ${step.threeDSServerTransId ?? digestOf(step.creq)}`
    case 'pares':
      return `pares ${step.md ?? digestOf(step.paReq)}`
    case 'gateway-run':
    case 'unusable':
      return step.kind
  }
}

/** Tells apart steps that came without an id. */
const digestOf = (message: string): string =>
  nodeCrypto().createHash('sha256').update(message).digest('base64url').slice(0, 22)

/** Says in one or two sentences how a step goes on, for a log or a person. */
export function describeStep(step: CustomerStep): string {
  switch (step.kind) {
    case 'method':
      return step.methodUrl === undefined
        ? 'Send uploadMethodUrlResult with threeDSCompInd "U": the gateway gave no method address.'
        : 'Post threeDSMethodData to "methodUrl" from a hidden frame, then send uploadMethodUrlResult; threeDSCompInd() says with what.'
    case 'challenge':
      return 'Have the customer’s browser post "creq" to "acsUrl", then send uploadCresResult with the CRes it brings back.'
    case 'pares':
      return (
        'Have the customer’s browser post PaReq, MD and your TermUrl to "acsUrl", ' +
        'then send uploadParesResult with the PaRes it brings back.'
      )
    case 'gateway-run':
      return 'Show the customer "html", or send the customer to "redirectTo", once. The gateway does the rest; nothing is uploaded.'
    case 'unusable':
      return step.explanation
  }
}
