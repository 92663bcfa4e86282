import type { Parameter } from '@tillkit/signing'
import {
  type Call,
  type CallbackDelivery,
  declinedAccount,
  type FaultName,
  faultTable,
  ImpossibleActionError,
  type OrderAction,
  type PlannedOutcome,
  sandboxCodes,
  silentMethodCard,
  testCard,
  threeDSecure1Card,
  threeDSecurePassword,
} from '@tillkit/testing'
import { act, faultNames, type GatewayState, type Order, resetState, unhandled } from '@tillkit/testing/gateway'
import { findShownOrder, shownOrder } from '../inspection/orders.js'
import { callSignature } from '../inspection/signatures.js'
import { controlDocument } from './document.js'
import { ControlError } from './input.js'
import type { ControlInput, ControlRouteName } from './routes.js'
import { faultPresets } from './routes.js'

/** Carries out one route. The answer can be written as JSON. */
export type ControlHandler<Name extends ControlRouteName> = (
  input: ControlInput<Name>,
  gateway: GatewayState,
) => object | Promise<object>

export const controlHandlers: { readonly [Name in ControlRouteName]: ControlHandler<Name> } = {
  readGateway: (_input, gateway) => readGateway(gateway),
  readDocument: () => controlDocument(),
  listOrders: ({ limit }, gateway) => ({
    orders: latest(gateway.orders.orders(), limit).map(order => shownOrder(order, gateway)),
  }),
  readOrder: ({ id }, gateway) => shownOrder(orderOf(id, gateway), gateway),
  actOnOrder({ id, action, ...rest }, gateway) {
    const { orderId } = orderOf(id, gateway)
    const acted = possible(() => act({ action, orderId, ...rest } as OrderAction, gateway))
    return shownOrder(acted, gateway)
  },
  async resendCallback({ id }, gateway) {
    const { orderId } = orderOf(id, gateway)
    await gateway.callbackSender.resend(orderId).catch(impossible)
    return callbacks(deliveriesOf(orderId, gateway))
  },
  listCalls({ operation, after = 0, limit }, { log }) {
    const calls = log.list(operation).filter(({ number }) => number > after)
    return { calls: latest(calls, limit).map(writeCall) }
  },
  readCall({ number }, gateway) {
    const call = gateway.log.list().find(each => each.number === number)
    if (call === undefined) throw new ControlError(404, `There is no call ${number} in the log, or no longer.`)
    const signature = callSignature(call, gateway)
    return { ...writeCall(call), ...(signature === undefined ? {} : { signature }) }
  },
  listCallbacks({ id, limit }, gateway) {
    const list = id === undefined ? gateway.callbackSender.list() : deliveriesOf(orderOf(id, gateway).orderId, gateway)
    return callbacks(latest(list, limit))
  },
  listFaults: (_input, gateway) => listFaults(gateway),
  armFault({ fault, ...rest }, gateway) {
    possible(() => gateway.faults.arm({ fault: fault as FaultName, ...rest }))
    return listFaults(gateway)
  },
  armPreset({ preset }, gateway) {
    const { fault, outcome } = faultPresets[preset] ?? {}
    if (outcome !== undefined) gateway.outcomes.plan(outcome)
    if (fault !== undefined) gateway.faults.arm(fault)
    return listFaults(gateway)
  },
  disarmFault({ number }, gateway) {
    if (!gateway.faults.disarm(number)) throw new ControlError(404, `No fault ${number} is armed, or no longer.`)
    return listFaults(gateway)
  },
  clearFaults(_input, gateway) {
    gateway.faults.clear()
    return listFaults(gateway)
  },
  listOutcomes: (_input, gateway) => listOutcomes(gateway),
  planOutcome({ outcome, ...rest }, gateway) {
    possible(() => gateway.outcomes.plan({ outcome: outcome as PlannedOutcome, ...rest }))
    return listOutcomes(gateway)
  },
  clearOutcomes(_input, gateway) {
    gateway.outcomes.clear()
    return listOutcomes(gateway)
  },
  listScenarios: () => ({
    cvv2: sandboxCodes.map(({ cvv2, text }) => ({ cvv2, does: text })),
    declinedAccount,
    testCard,
    threeDSecure1Card,
    silentMethodCard,
    threeDSecurePassword,
  }),
  readClock: (_input, { clock }) => ({ now: clock.now() }),
  async advanceClock({ milliseconds }, { clock }) {
    await clock.advance(milliseconds)
    return { now: clock.now() }
  },
  listProblems: (_input, gateway) => ({ problems: unhandled(gateway).map(line => line.replace(/^- /, '')) }),
  reset(_input, gateway) {
    resetState(gateway)
    return readGateway(gateway)
  },
}

function readGateway(gateway: GatewayState) {
  const { settings, clock, orders, log, callbackSender, faults } = gateway
  return {
    now: clock.now(),
    baseUrl: `${gateway.origin()}${settings.prefix}`,
    merchants: settings.merchants.map(({ login, endpoints }) => ({
      login,
      endpoints: endpoints.filter(({ group }) => !group).map(({ id }) => id),
      groups: endpoints.filter(({ group }) => group).map(({ id }) => id),
    })),
    orders: orders.orders().length,
    calls: log.list().length,
    callbacks: callbackSender.list().length,
    armedFaults: faults.armed().length,
  }
}

const latest = <Entry>(list: readonly Entry[], limit = 100): readonly Entry[] => list.slice(-limit)

function orderOf(id: string, gateway: GatewayState): Order {
  const order = findShownOrder(id, gateway)
  if (order === undefined) throw new ControlError(404, `There is no order ${JSON.stringify(id.slice(0, 64))}.`)
  return order
}

const deliveriesOf = (orderId: string, { callbackSender }: GatewayState): readonly CallbackDelivery[] =>
  callbackSender.list().filter(delivery => delivery.orderId === orderId)

const callbacks = (deliveries: readonly CallbackDelivery[]) => ({
  callbacks: deliveries.map(({ parameters, ...rest }) => ({ ...rest, parameters: parameters.map(named) })),
})

const named = ([name, value]: Parameter) => ({ name, value })

function writeCall({ fields, reply, oauth: _oauth, ...call }: Call) {
  return {
    ...call,
    fields: fields.map(named),
    ...(reply === undefined ? {} : { reply: Object.entries(reply).map(named) }),
  }
}

const listOutcomes = ({ outcomes }: GatewayState) => ({ planned: outcomes.planned() })

const listFaults = ({ faults }: GatewayState) => ({
  armed: faults.armed(),
  known: faultNames.map(fault => {
    const { does, at, effect, delay, questions } = faultTable[fault]
    return { fault, does, at, effect, ...(delay && { delay }), ...(questions && { questions }) }
  }),
})

/** What the gateway refuses is the caller's mistake, and its message is for the caller. */
function possible<Value>(attempt: () => Value): Value {
  try {
    return attempt()
  } catch (error) {
    return impossible(error)
  }
}

function impossible(error: unknown): never {
  if (error instanceof ImpossibleActionError) throw new ControlError(409, error.message)
  if (error instanceof TypeError) throw new ControlError(400, error.message)
  throw error
}
