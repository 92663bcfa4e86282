import { createRequestSigner, hmacSha1Signer, type Signer } from '@tillkit/signing'

const signer: Signer = hmacSha1Signer({ consumerSecret: 'control key' })
export const header: Promise<string> = createRequestSigner({ consumerKey: 'merchant', signer }).header({
  url: new URL('https://gate.example/paynet/api/v2/payout/39'),
  parameters: [['amount', '10.00']],
  timestamp: 1_700_000_000,
  nonce: 'n-1',
})
