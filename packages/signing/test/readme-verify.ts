import { decodeForm, verifyAuthorization } from '../src/index.js'

export async function isOurs(url: URL, body: string, authorization: string | undefined): Promise<boolean> {
  const verdict = await verifyAuthorization({
    method: 'POST',
    url, // as the sender saw it, its path prefix included
    parameters: decodeForm(body), // throws InvalidInputError when the body is malformed: answer 400
    authorization,
    keys: { hmacSecrets: [{ label: 'since May', key: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' }, 'the one before'] },
    policy: { now: Math.floor(Date.now() / 1000), windowSeconds: 300 },
  })
  console.log(verdict.kind === 'verified' ? verdict.keyLabel : verdict.explanation) // for your log, not for the sender
  return verdict.kind === 'verified'
}
