/** At the end of a shop's life the gateway's own book is compared with every word that the client has said. */
import { type Call, forEachSeed } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { ids, type Lived, live, type Said } from './living-shop.js'

const started: { readonly [Kind in Said['kind']]: readonly string[] } = {
  create: ['sale', 'preauth'],
  capture: ['capture'],
  return: ['return'],
  void: ['void'],
}

const isOf = (clientOrderId: string, { fields }: Call): boolean =>
  fields.some(([name, value]) => name === 'client_orderid' && value === clientOrderId)

/** What the gateway's book says that the client's words deny, or the other way round. */
function lies({ gateway, said, outcomes }: Lived): readonly string[] {
  const found: string[] = []
  for (const clientOrderId of ids) {
    const order = gateway.orders.find(clientOrderId)
    for (const [kind, operations] of Object.entries(started) as [Said['kind'], readonly string[]][]) {
      const words = said.filter(each => each.kind === kind && each.clientOrderId === clientOrderId)
      const count = (word: Said['word']) => words.filter(each => each.word === word).length
      const truth = order?.stages.filter(({ operation = '' }) => operations.includes(operation)).length ?? 0
      const [least, most] = [count('accepted'), count('accepted') + count('unknown')]
      if (truth < least || truth > most)
        found.push(`${clientOrderId}: ${truth} ${kind} in the book, and the client says ${least} to ${most}`)
      const arrived = operations.flatMap(name => gateway.calls(name)).filter(call => isOf(clientOrderId, call))
      const sent = words.length - count('not-sent') - count('not-reserved')
      if (arrived.length > sent)
        found.push(`${clientOrderId}: ${arrived.length} ${kind} arrived of ${sent} that were sent`)
    }
  }
  for (const {
    said: { clientOrderId, serialNumber = '' },
    outcome,
  } of outcomes) {
    if (!('stage' in outcome) || outcome.kind === 'needs-person') continue
    const stage = gateway.orders.find(clientOrderId)?.stages.find(each => each.serialNumbers.includes(serialNumber))
    if (stage?.status !== outcome.kind || stage?.stage !== outcome.stage?.stage)
      found.push(`${clientOrderId}: ${outcome.kind} for what is ${stage?.stage} ${stage?.status}`)
  }
  return found
}

describe('a shop that lives through everything', () => {
  it('never hears a false word', async () => {
    const heard = new Map<string, number>()
    await forEachSeed(24, async seed => {
      const shop = await live(seed, 50)
      for (const { word } of shop.said) heard.set(word, (heard.get(word) ?? 0) + 1)
      for (const { outcome } of shop.outcomes) heard.set(outcome.kind, (heard.get(outcome.kind) ?? 0) + 1)
      try {
        expect(lies(shop)).toEqual([])
      } finally {
        await shop.close()
      }
    })
    // It was not a quiet life.
    expect([...heard.keys()].sort()).toEqual(
      expect.arrayContaining([
        'accepted',
        'approved',
        'declined',
        'no-trace',
        'not-reserved',
        'not-sent',
        'refused',
        'unknown',
      ]),
    )
  }, 60_000)
})
