import { controlItems, controlValue } from '../src/index.js'
import { explainControl, explainSignature } from '../src/explain/index.js'

const values = { endpointId: '1111', clientOrderId: '902B4FF5', amount: '1042', email: 'john.smith@gmail.com' }
const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
console.log(controlValue(controlItems.sale, values, controlKey)) // c6bdd88a78834ef4b863b088827a459f039e8257

const expected = '7e8e939c8ac1516ba5e1d142ef14147800dfec6f' // theirs
console.log(explainControl({ items: controlItems.sale, values, controlKey, expected }).explanation?.text)
// amount: the value was made over "10.42"; it must be made over "1042"

const { signatureMatches, explanation } = explainSignature({
  method: 'POST',
  url: new URL('http://gate.example/paynet/api/v2/payout/39'), // what a server behind a proxy believes
  parameters: { amount: '10.00' },
  authorization:
    'OAuth oauth_consumer_key="merchant", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", ' +
    'oauth_timestamp="1669966913", oauth_version="1.0", oauth_signature="jDmjExNiFQBRIBl7GnNJ0FTs%2Bs8%3D"',
  secrets: { consumerSecret: controlKey },
})
console.log(signatureMatches, explanation?.mistake) // false scheme
