import { type AnyGatewayError, isGatewayError } from '@tillkit/client'
import {
  type AnyOperation,
  finalOutcome,
  moneyMoved,
  type Reply,
  type StatusResponse,
  stageOf,
  type WireProfile,
} from '@tillkit/protocol'
import type { Ending } from '../command-line/exit-codes.js'
import { forCommand } from '../command-line/words.js'
import { inShell } from '../command-line/wrap.js'

/** What an answer means, or the lack of one. */
export interface Meaning {
  readonly kind: 'approved' | 'declined' | 'processing' | 'answered' | 'refused' | 'not-sent' | 'no-answer' | 'unknown'
  readonly text: string
  /** What to do next: lines for a terminal, or sentences. */
  readonly next: readonly string[]
}

const endings: Readonly<Record<Meaning['kind'], Ending>> = {
  approved: 'done',
  answered: 'done',
  declined: 'failed',
  refused: 'failed',
  'not-sent': 'failed',
  'no-answer': 'not-known',
  processing: 'processing',
  unknown: 'unknown',
}

/** How a command that means it ends. */
export const endingOf = ({ kind }: Pick<Meaning, 'kind'>): Ending => endings[kind]

/** How to colour it. */
export const colourOf = ({ kind }: Pick<Meaning, 'kind'>) =>
  (({ done: 'good', failed: 'bad' }) as const)[endings[kind] as 'done'] ?? 'unsure'

/** The words that ask status about an order. */
function statusCommand({
  clientOrderId,
  orderId,
}: {
  readonly clientOrderId?: string | undefined
  readonly orderId?: string | undefined
}): string {
  const id = orderId === undefined ? '' : ` --order-id ${inShell(orderId)}`
  return `tillkit status ${inShell(clientOrderId ?? '')}${id}`
}

/** What a status reply means: the latest word about the order. */
export function meaningOfStatus(reply: Reply & Partial<StatusResponse>, profile: WireProfile): Meaning {
  const { status = '', clientOrderId, orderId } = reply
  const outcome = finalOutcome(status, profile)
  const stage = stageOf(reply, profile)
  const of = stage === undefined ? 'It' : `The ${stage}`
  const money = reply.amount === undefined ? '' : ` over ${[reply.amount, reply.currency].filter(Boolean).join(' ')}`
  if (outcome === 'approved') {
    const moved = stage === undefined ? 'unknown' : moneyMoved(stage)
    const text = `${of}${money} is approved. ${moneyWords[moved]}`
    return { kind: 'approved', text, next: [] }
  }
  if (outcome !== undefined) {
    const why = reply.errorMessage ?? reply.errorCode
    const text = `${of}${money} is ${status}: no money moved by it.${why === undefined ? '' : ` The gateway says: ${why}`}`
    return { kind: 'declined', text, next: [] }
  }
  return {
    kind: 'processing',
    text: `${of} is ${JSON.stringify(status)}, which is not final. Nothing may be concluded from it yet.`,
    next: [`${statusCommand({ clientOrderId, orderId })} --watch`],
  }
}

const moneyWords = {
  none: 'No money moves by that.',
  held: 'The money is held, and not captured.',
  captured: 'The money is captured.',
  released: 'What was held is released.',
  returned: 'The money went back.',
  sent: 'The money is sent.',
  unknown: 'What that did to money is not known here.',
} as const

/** What the reply to a call means, where the gateway took it. */
export function meaningOfReply(
  { effect, stages }: Pick<AnyOperation, 'effect' | 'stages'>,
  reply: Reply & { readonly redirectUrl?: string },
  ids: { readonly clientOrderId?: string | undefined; readonly orderId?: string | undefined },
): Meaning {
  const { redirectUrl } = reply
  const watch = `${statusCommand({ clientOrderId: ids.clientOrderId, orderId: reply.orderId ?? ids.orderId })} --watch`
  if (effect === 'reads') {
    return { kind: 'answered', text: 'The gateway answered. Nothing was changed by asking.', next: [] }
  }
  if (stages.length === 0) {
    return { kind: 'answered', text: 'The gateway has done it. No money moves by that.', next: [] }
  }
  if (redirectUrl !== undefined) {
    const text = 'The gateway has a form for the customer. Nothing is paid yet.'
    return { kind: 'processing', text, next: [`Send the customer to ${redirectUrl}`, watch] }
  }
  const text = 'The gateway has taken it. That is no approval: only status says how it ended.'
  return { kind: 'processing', text, next: [watch] }
}

/** What a failure means. @returns undefined for what is no failure of a call. */
export function meaningOfError(error: unknown, effect: AnyOperation['effect']): Meaning | undefined {
  if (!isGatewayError(error)) return undefined
  const text = forCommand(error.message)
  switch (error.code) {
    case 'ERR_REQUEST_REFUSED':
      return { kind: 'refused', text, next: [] }
    case 'ERR_AUTHENTICATION_REFUSED':
      return { kind: 'refused', text, next: ['tillkit check'] }
    case 'ERR_NOT_SENT':
      return { kind: 'not-sent', text, next: ['tillkit check'] }
    case 'ERR_OUTCOME_UNKNOWN':
      return { kind: 'unknown', text, next: nextOfUnknown(error) }
    case 'ERR_GATEWAY_FAILURE':
    case 'ERR_UNREADABLE_REPLY':
    case 'ERR_TRANSPORT':
      return effect === 'reads'
        ? { kind: 'no-answer', text, next: ['It changed nothing: ask again.'] }
        : { kind: 'unknown', text, next: nextOfUnknown(error) }
    default:
      return undefined
  }
}

function nextOfUnknown(error: AnyGatewayError): readonly string[] {
  const { clientOrderId, orderId } = error
  const serialNumber = 'serialNumber' in error && error.serialNumber !== undefined ? error.serialNumber : undefined
  const by = serialNumber === undefined ? '' : ` --serial-number ${inShell(serialNumber)}`
  return clientOrderId === undefined ? [] : [`${statusCommand({ clientOrderId, orderId })}${by}`]
}

/** Lets the commands that come next be about the same account. */
export const about = (meaning: Meaning, account: string): Meaning => ({
  ...meaning,
  next: meaning.next.map(each => (each.startsWith('tillkit ') ? `${each}${account}` : each)),
})
