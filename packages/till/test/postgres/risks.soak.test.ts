/** A server with a standby: `till.start()` warns where a failover loses what was acknowledged, if its role may see that. */
import { expect, it, onTestFinished } from 'vitest'
import { type ServerPair, serverPair } from '../failovers/pair.js'
import { watchWarnings } from '../till/watch-warnings.js'
import { type RoleTill, roleTill } from './support/role-till.js'

async function openPair(synchronous: boolean): Promise<ServerPair> {
  const pair = await serverPair({ synchronous })
  onTestFinished(() => pair.stop())
  return pair
}

/** Reads what a till says of its store: the reasons that it warns of when it starts, and what its check finds. */
async function saidBy(options: RoleTill) {
  const warned = watchWarnings()
  const till = await roleTill(options)
  await till.start()
  const finding = (await till.check())[0]?.findings.at(-1)
  return { warned: warned('WARN_STORE_RISK').map(text => /\(([a-z-]+)\)/.exec(text)?.[1]), finding }
}

it('no commit waits for the standby: a role that may see that warns, and another one says nothing', async () => {
  const { url } = (await openPair(false)).primary()
  expect(await saidBy({ url, memberOf: 'pg_monitor' })).toMatchObject({
    warned: ['asynchronous-standby'],
    finding: { subject: 'store', verdict: 'cannot-tell', explanation: expect.stringContaining('has a standby') },
  })
  expect(await saidBy({ url })).toMatchObject({ warned: [], finding: { subject: 'store', verdict: 'ok' } })
})

it('commits wait for the standby: nothing is said, but a role whose commits do not wait warns', async () => {
  const { url } = (await openPair(true)).primary()
  expect(await saidBy({ url, memberOf: 'pg_monitor' })).toMatchObject({ warned: [], finding: { verdict: 'ok' } })
  expect(await saidBy({ url, setting: 'synchronous_commit = local' })).toMatchObject({
    warned: ['commits-are-local'],
    finding: { verdict: 'cannot-tell', explanation: expect.stringContaining('do not wait for it') },
  })
})
