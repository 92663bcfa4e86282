import { randomUUID } from 'node:crypto'
import { createRequestSigner, encodeForm, hmacSha1Signer } from '../src/index.js'

const url = new URL('https://gate.example/paynet/api/v2/payout/39')
const parameters = { client_orderid: 'payout-1', amount: '10.00', currency: 'EUR', order_desc: "Anna's share" }
const signer = hmacSha1Signer({ consumerSecret: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' })
const request = { url, parameters, timestamp: Math.floor(Date.now() / 1000), nonce: randomUUID() }
const authorization = await createRequestSigner({ consumerKey: 'merchant', signer }).header(request)
console.log(authorization, encodeForm(parameters)) // the header and the body
