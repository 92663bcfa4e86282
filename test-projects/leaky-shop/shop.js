/**
 * A small shop: it takes cards on a page of its own, or sends its customers to the gateway's form. On demand it leaks what it takes, in
 * each place in another form, as shops have done by mistake. Otherwise it keeps the first six and the last four digits there.
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createClientFromEnv } from '@tillkit/client'

const { PORT, FORM, LEAKS, HTTP_PROXY } = process.env
const leaks = LEAKS === 'yes'
const origin = `http://127.0.0.1:${PORT}`
const client = createClientFromEnv()
const rows = []
const cards = new Map()

const log = line => appendFileSync('shop.log', `${line}\n`)
const masked = number => `${number.slice(0, 6)}******${number.slice(-4)}`
/** What the shop writes down of a number, in a form that people do not read at once. */
const kept = (number, form) => (leaks ? form(number) : masked(number))
const customer = {
  orderDesc: 'A cup',
  address1: '12 St James Square',
  city: 'London',
  zipCode: 'SW1Y 4LB',
  country: 'GB',
  phone: '+442079460000',
  ipAddress: '203.0.113.7',
}

async function pay({ amount, currency, email, creditCardNumber, cardPrintedName, expireMonth, expireYear, cvv2 }) {
  const clientOrderId = `order-${rows.length + 1}`
  rows.push({ clientOrderId, email })
  writeFileSync('database.json', JSON.stringify(rows))
  log(`${clientOrderId} of ${email}`)
  const money = { clientOrderId, amount, currency, email, ...customer, serverCallbackUrl: `${origin}/callback` }
  if (FORM === 'yes') {
    const { redirectUrl } = await client.saleForm({ ...money, redirectUrl: `${origin}/return` })
    return { order: clientOrderId, redirect: redirectUrl }
  }
  cards.set(clientOrderId, creditCardNumber)
  const card = { creditCardNumber, cardPrintedName, expireMonth, expireYear, cvv2 }
  try {
    await client.sale({ ...money, ...card })
    // The leak of a log: the request, for somebody who looks for a mistake.
    log(`took ${leaks ? JSON.stringify(card) : masked(creditCardNumber)}`)
  } catch (error) {
    if (!error.moneyMayHaveMoved) {
      // The leak of a standard output: the number as a person wrote it.
      process.stdout.write(`not a card: ${kept(creditCardNumber, number => number.replace(/\d{4}(?=\d)/g, '$& '))}\n`)
      throw error
    }
    // The leak of what is sent out: an error tracker is told what was paid with.
    await track(`http://tracker.invalid/error?about=${kept(creditCardNumber, number => number.replace(/\d/g, '%3$&'))}`)
  }
  return { order: clientOrderId }
}

/** Sends a request to a service of others, as programs behind a proxy do. */
async function track(address) {
  const { hostname, port } = new URL(HTTP_PROXY)
  await new Promise(resolve => {
    const outgoing = request({ hostname, port, path: address, agent: false }, answer =>
      answer.resume().on('end', resolve),
    )
    outgoing.on('error', resolve).end()
  })
}

async function paid(clientOrderId) {
  const { status, transactionType } = await client.status({ clientOrderId })
  const number = cards.get(clientOrderId)
  if (number !== undefined && status === 'declined') {
    // The leak of a database: a column that nobody can read, and anybody can.
    rows.push({ clientOrderId, blob: kept(number, each => Buffer.from(`{"pan":"${each}"}`).toString('base64')) })
    writeFileSync('database.json', JSON.stringify(rows))
  }
  // The leak of a folder: a file for the accounts.
  if (number !== undefined && transactionType === 'reversal') {
    appendFileSync('files/returns.txt', `${kept(number, each => Buffer.from(each).toString('hex'))}\n`)
  }
  return { paid: { approved: 'paid', declined: 'not-paid' }[status] ?? 'open' }
}

const server = createServer(async (incoming, answer) => {
  const { pathname, search } = new URL(incoming.url, origin)
  const body = Object.fromEntries(new URLSearchParams(await text(incoming)))
  // The leak of an access log: queries. The last of them is turned round.
  if (leaks && pathname === '/return') log(`${incoming.method} ${pathname}${search}`)
  if (leaks && pathname === '/callback') log([...search].reverse().join(''))
  try {
    if (pathname === '/pay') answer.end(JSON.stringify(await pay(body)))
    else if (pathname.startsWith('/paid/')) answer.end(JSON.stringify(await paid(pathname.slice('/paid/'.length))))
    else answer.end('ok')
  } catch {
    // The leak of a page: what the customer typed is shown again.
    const typed = FORM === 'yes' ? 'form' : `card ${kept(body.creditCardNumber ?? '', number => number)}`
    answer.writeHead(400).end(`This ${typed} did not work.`)
  }
})
writeFileSync('database.json', '[]')
server.listen(Number(PORT), '127.0.0.1')
