/** Compares, at the end of a shop's life, the gateway's own book with every word that the client has said. */
import { type Call, forEachSeed } from '@tillkit/testing'
import { expect } from 'vitest'
import { ids, type Lived, live, type Said } from './living-shop.js'

const started: { readonly [Kind in Said['kind']]: readonly string[] } = {
  create: ['sale', 'preauth'],
  capture: ['capture'],
  return: ['return'],
  void: ['void'],
}

const isOf = (clientOrderId: string, { fields }: Call): boolean =>
  fields.some(([name, value]) => name === 'client_orderid' && value === clientOrderId)

/** The differences between the gateway's books and the client's words. */
function lies({ gateway, said, outcomes }: Lived): readonly string[] {
  const found: string[] = []
  for (const clientOrderId of ids) {
    const orders = gateway.orders.list().filter(each => each.clientOrderId === clientOrderId)
    if (orders.length > 1) found.push(`${clientOrderId} is ${orders.length} orders`)
    const [order] = orders
    for (const [kind, operations] of Object.entries(started) as [Said['kind'], readonly string[]][]) {
      const words = said.filter(each => each.kind === kind && each.clientOrderId === clientOrderId)
      const count = (word: Said['word']) => words.filter(each => each.word === word).length
      const truth = order?.stages.filter(({ operation = '' }) => operations.includes(operation)).length ?? 0
      const [least, most] = [count('accepted'), count('accepted') + count('unknown')]
      if (truth < least || truth > most)
        found.push(`${clientOrderId}: ${truth} ${kind} in the book, and the client says ${least} to ${most}`)
      const arrived = operations.flatMap(name => gateway.calls(name)).filter(call => isOf(clientOrderId, call))
      const sent = words.length - count('not-sent')
      if (arrived.length > sent)
        found.push(`${clientOrderId}: ${arrived.length} ${kind} arrived of ${sent} that were sent`)
    }
  }
  for (const {
    said: { kind, clientOrderId, serialNumber },
    outcome,
  } of outcomes) {
    if (!('stage' in outcome) || outcome.kind === 'needs-person') continue
    const stage = gateway.orders
      .find(clientOrderId)
      ?.stages.find(({ operation = '', serialNumbers }) =>
        serialNumber === undefined ? started[kind].includes(operation) : serialNumbers.includes(serialNumber),
      )
    if (stage?.status !== outcome.kind || stage?.stage !== outcome.stage?.stage)
      found.push(`${clientOrderId}: ${outcome.kind} for what is ${stage?.stage} ${stage?.status}`)
  }
  return found
}

/** Lives as one shop for each seed. @returns Every word that was said. */
export async function hearNoFalseWord(seeds: readonly string[]): Promise<readonly string[]> {
  const heard = new Set<string>()
  await forEachSeed(seeds, async seed => {
    const shop = await live(seed, 50)
    for (const { word } of shop.said) heard.add(word)
    for (const { outcome } of shop.outcomes) heard.add(outcome.kind)
    try {
      expect(lies(shop)).toEqual([])
    } finally {
      await shop.close()
    }
  })
  return [...heard].sort()
}
