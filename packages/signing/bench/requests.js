/** The requests that are measured, the same for every package. */
import { readFileSync } from 'node:fs'

export const address = 'https://gate.example/paynet/api/v2/payout/39'
export const consumerKey = 'merchant-login'
export const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
export const privateKeyPem = readFileSync(new URL('../test/vectors/rsa-test-key.pem', import.meta.url), 'utf8')

const form = [
  ['client_orderid', '902B4FF5-0001'],
  ['amount', '10.42'],
  ['currency', 'EUR'],
  ['order_desc', 'Payout for order 902B4FF5, thank you!'],
  ['account_number', 'DE89370400440532013000'],
  ['first_name', 'John'],
  ['last_name', 'Smith'],
  ['email', 'john.smith@gmail.com'],
  ['address1', '100 Main st, apt. 7'],
  ['city', 'Seattle'],
  ['zip_code', '98102'],
  ['country', 'US'],
  ['phone', '+12063582043'],
  ['ipaddress', '65.153.12.232'],
  ['site_url', 'https://shop.example/orders?id=902B4FF5'],
  ['server_callback_url', 'https://shop.example/callbacks/gateway'],
]

/** Parameters of a form, in an order that is not the sorted one; some values need encoding and most do not. */
export const parametersOf = count =>
  Array.from({ length: count }, (_, index) => {
    const [name, value] = form[index % form.length]
    return [index < form.length ? name : `${name}_${index}`, value]
  })
