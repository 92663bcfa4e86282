/**
 * A merchant behind addresses, as one in another language is.
 *
 * @module
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MerchantUnderTest } from '../../src/index.js'

/** Serves a merchant that is made of functions: `POST /pay`, `GET /paid/<order>` and `/callback`. */
export async function serveMerchant({ startPayment, isPaid, receiveCallback }: MerchantUnderTest) {
  if (typeof startPayment !== 'function' || typeof isPaid !== 'function' || typeof receiveCallback !== 'function') {
    throw new TypeError('The hand-written merchant is made of functions.')
  }
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '', 'http://merchant')
    let body = ''
    for await (const chunk of incoming) body += chunk
    if (url.pathname === '/callback') {
      response.statusCode = await receiveCallback({ method: 'GET', url, parameters: [...url.searchParams] })
      return response.end()
    }
    if (url.pathname.startsWith('/paid/')) {
      return response.end(JSON.stringify({ paid: await isPaid(url.pathname.slice('/paid/'.length)) }))
    }
    const { creditCardNumber, cardPrintedName, expireMonth, expireYear, cvv2, ...rest } = Object.fromEntries(
      new URLSearchParams(body),
    ) as Record<string, string>
    const card = { creditCardNumber, cardPrintedName, expireMonth, expireYear, cvv2 }
    const started = await startPayment({ ...rest, card, callbackUrl: at('/callback') } as never)
    response.end(JSON.stringify(started))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const doors: MerchantUnderTest = {
    startPayment: at('/pay'),
    isPaid: at('/paid/{order}'),
    receiveCallback: at('/callback'),
  }
  return {
    doors,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
